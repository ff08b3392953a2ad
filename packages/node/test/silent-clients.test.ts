import { serve } from './host.ts'
import { silentClients } from './silent-clients.ts'

silentClients(serve)
