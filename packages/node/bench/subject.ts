import './report-cpu.ts'
import { createServer } from 'node:http'
import { merchantApi } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'

const [file = '', port] = process.argv.slice(2)
const till = createTill({ storage: sqliteStorage({ file }) })
const api = merchantApi(till, { https: 'off', rateLimits: false })
createServer(toNode({ '/v1': api })).listen(Number(port), '127.0.0.1', () => process.send?.('ready'))
