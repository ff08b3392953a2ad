import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Address, storageAt } from '../engines/address.ts'
import { openShop } from '../faults/shop.ts'
import { acknowledgedIn, journal } from './acknowledged.ts'
import { end, forkProgram } from './fork.ts'
import { expectInvariants } from './invariants.ts'
import type { Race } from './racer.ts'

const ROUNDS = Number(process.env.TILLKIT_RACE_ROUNDS ?? 60)
const KILLED_AFTER = 40
const merchantId = 'shop'

/**
 * Has four processes race on one database, which is at each of `addresses`, kills two, and looks at what is left at the first:
 * each begins, and is looked at, once it has `caughtUp` with the others.
 */
export async function race(
  addresses: Address[],
  caughtUp: (address: Address) => Promise<void> = async () => {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-race-'))
  const addressOf = (n: number) => addresses[n % addresses.length] as Address
  const storage = storageAt(addressOf(0))
  await storage.migrate()
  await openShop(storage)
  await Promise.all(addresses.map(caughtUp))

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
  await caughtUp(addressOf(0))

  await expectInvariants(
    storage,
    merchantId,
    racers.flatMap(({ file }) => acknowledgedIn(file)),
  )
  await storage.close()
  await rm(folder, { recursive: true })
}
