import '@tillkit/storage-kysely/postgres'
import '@tillkit/till'
import '@tillkit/http'
import { tellAtRest } from './at-rest.js'

tellAtRest()
