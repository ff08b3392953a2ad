// A host on SQLite, to be one file.
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { host } from './bundled-host.mjs'

host(sqliteStorage({ file: 'till.db' }))
