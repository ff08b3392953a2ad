import { silentClients } from '../../node/test/silent-clients.ts'
import { serve } from './host.ts'

silentClients(serve)
