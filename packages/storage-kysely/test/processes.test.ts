import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { storageAt } from './engines/address.ts'
import { overEveryEngine } from './engines/index.ts'
import { acknowledgedIn, journal } from './processes/acknowledged.ts'
import { end, forkProgram } from './processes/fork.ts'
import { expectInvariants } from './processes/invariants.ts'
import type { Race } from './processes/racer.ts'

const ROUNDS = Number(process.env.TILLKIT_RACE_ROUNDS ?? 60)
const KILLED_AFTER = 40
const merchantId = 'shop'

overEveryEngine(({ create }) => {
  test('four processes race on one merchant, and two of them are killed', { timeout: 180_000 }, async () => {
    const { address, drop } = await create()
    const folder = await mkdtemp(join(tmpdir(), 'tillkit-race-'))
    const storage = storageAt(address)
    await storage.migrate()
    await storage.merchants.create({
      id: merchantId,
      name: 'Shop',
      webhookUrl: 'https://shop.example/hook',
      features: { tips: false, userReferences: false, deviceLists: false },
      createdAt: '2026-11-20T09:30:00.000Z',
    })

    const racers = Array.from({ length: 4 }, (_, n) => {
      const file = join(folder, `${n}`)
      journal(file).close()
      const race: Race = { address, merchantId, file, rounds: n < 2 ? ROUNDS : null }
      return { file, child: forkProgram('racer.ts', race), survives: n < 2 }
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
    await drop()
  })
})
