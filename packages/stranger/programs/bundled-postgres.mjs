// A host on PostgreSQL, to be one file.
import { postgresStorage } from '@tillkit/storage-kysely/postgres'
import { host } from './bundled-host.mjs'

host(postgresStorage({ connectionString: process.env.DATABASE_URL }))
