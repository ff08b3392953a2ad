import pg from 'pg'
import { postgresStorage } from '../../src/postgres/index.ts'

/** Calls a database that may end each connection at any moment, and says how many errors nobody heard. */
const [kind, connectionString = '', schema = '', count = '0'] = process.argv.slice(2)
let unheard = 0
process.on('uncaughtException', () => {
  unheard += 1
})
process.on('unhandledRejection', () => {
  unheard += 1
})

const pool = kind === 'own' ? undefined : new pg.Pool({ connectionString })
const limits = { readTimeoutSeconds: 0.3, writeTimeoutSeconds: 0.6, lockTimeoutSeconds: 0.3 }
const storage = postgresStorage(pool ? { pool, ...limits } : { connectionString, ...limits }, { schema })
let calls = 0
let answered = 0
async function lane(): Promise<void> {
  while (calls < Number(count)) {
    calls += 1
    const call =
      calls % 3 ? storage.merchants.get('shop') : storage.endpoints.wake('shop', new Date().toISOString())
    await Promise.all([call, pool?.query('select 1')]).then(
      () => {
        answered += 1
      },
      () => {},
    )
  }
}
await Promise.all(Array.from({ length: 8 }, lane))
await storage.close()
await pool?.end()
process.send?.({ calls, answered, unheard })
process.disconnect?.()
