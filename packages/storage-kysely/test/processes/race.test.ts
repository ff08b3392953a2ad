import { test } from 'vitest'
import { overEveryEngine } from '../engines/index.ts'
import { race } from './race.ts'

overEveryEngine(({ create }) => {
  test('four processes race on one merchant, and two of them are killed', { timeout: 300_000 }, async () => {
    const { address, drop } = await create()
    await race([address])
    await drop()
  })
})

/** The nodes of a cluster that takes writes at any of them, such as Galera: addresses of one empty database, by comma. */
const cluster = process.env.TILLKIT_MYSQL_CLUSTER_URLS
if (cluster) {
  test('the same over the nodes of a cluster', { timeout: 300_000 }, () =>
    race(cluster.split(',').map(uri => ({ dialect: 'mysql', uri }))),
  )
}
