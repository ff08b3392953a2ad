import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Address, storageAt } from './engines/address.ts'
import { overEveryEngine } from './engines/index.ts'
import { openShop } from './faults/shop.ts'
import { acknowledgedIn, journal } from './processes/acknowledged.ts'
import { end, forkProgram } from './processes/fork.ts'
import { expectInvariants } from './processes/invariants.ts'
import type { Race } from './processes/racer.ts'

const ROUNDS = Number(process.env.TILLKIT_RACE_ROUNDS ?? 60)
const KILLED_AFTER = 40
const merchantId = 'shop'

/** Has four processes race on one database, which is at each of `addresses`, kills two, and looks at what is left. */
async function race(addresses: Address[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-race-'))
  const addressOf = (n: number) => addresses[n % addresses.length] as Address
  const storage = storageAt(addressOf(0))
  await storage.migrate()
  await openShop(storage)

  const racers = Array.from({ length: 4 }, (_, n) => {
    const file = join(folder, `${n}`)
    journal(file).close()
    const survives = n < 2
    const race: Race = { address: addressOf(n), merchantId, file, rounds: survives ? ROUNDS : null }
    return { file, child: forkProgram('racer.ts', race), survives }
  })
  for (const { file, child } of racers.filter(({ survives }) => !survives)) {
    while (acknowledgedIn(file).length < KILLED_AFTER && child.exitCode === null) await sleep(5)
    child.kill('SIGKILL')
  }
  expect(await Promise.all(racers.map(({ child }) => end(child)))).toEqual([0, 0, 'SIGKILL', 'SIGKILL'])

  await expectInvariants(
    storage,
    merchantId,
    racers.flatMap(({ file }) => acknowledgedIn(file)),
  )
  await storage.close()
  await rm(folder, { recursive: true })
}

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
