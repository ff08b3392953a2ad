import { createTill } from '@tillkit/till'
import type { Worked } from './messages.ts'
import { countedMysql } from './mysql-ground.ts'
import { countedPostgres } from './postgres-ground.ts'

// A worker in a process of its own: says that it is ready, begins when told to, and stops when told again.
const [dialect, url = ''] = process.argv.slice(2)
const { storage, sent } = dialect === 'postgres' ? countedPostgres(url) : countedMysql(url)
const worked: Worked = { claims: 0, empty: 0, claimed: 0, statements: 0 }
const counting: typeof storage.deliveries = {
  ...storage.deliveries,
  async claim(asked) {
    const claimed = await storage.deliveries.claim(asked)
    worked.claims++
    worked.claimed += claimed.length
    if (claimed.length === 0) worked.empty++
    return claimed
  },
}
const till = createTill({
  storage: { ...storage, deliveries: counting },
  webhooks: { allowHttp: true, allowPrivateAddresses: true, timeoutSeconds: 5 },
  logger: false,
})
await storage.merchants.get('m1')

process.once('message', () => {
  till.webhooks.start()
  process.once('message', async () => {
    await till.close()
    await storage.close()
    process.send?.({ ...worked, statements: sent() })
    process.disconnect()
  })
})
process.send?.('ready')
