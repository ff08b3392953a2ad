import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { storageAt } from '../engines/address.ts'
import { overPostgres } from '../engines/index.ts'
import { openSession } from '../faults/session.ts'
import { openShop } from '../faults/shop.ts'
import { startRudeServer } from './rude-server.ts'

interface Heard {
  calls: number
  answered: number
  unheard: number
}

/** A process of its own that makes `count` calls, and what it exits with. */
function startCaller(kind: string, connectionString: string, schema: string, count: number) {
  const program = fileURLToPath(new URL('./caller.ts', import.meta.url))
  const child = fork(program, [kind, connectionString, schema, `${count}`], {
    execArgv: ['--conditions=@tillkit/source'],
  })
  const heard = once(child, 'message').then(([message]) => message as Heard)
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  return { child, exited, heard: Promise.race([heard, exited.then(() => heard)]) }
}

describe.each(['own', 'hosted'] as const)(
  'no message of a server ends the process, over a pool: %s',
  kind => {
    test.each(['greeting', 'answer'] as const)(
      'told to go in the packet of the %s',
      { timeout: 300_000 },
      async after => {
        const server = await startRudeServer(after)
        const caller = startCaller(kind, `postgres://x@127.0.0.1:${server.port}/x`, 'x', 24)
        expect(await caller.heard).toMatchObject({ calls: expect.any(Number), unheard: 0 })
        expect(await caller.exited).toBe(0)
        await server.close()
      },
    )
  },
)

overPostgres(({ create }) => {
  test.each(['own', 'hosted'] as const)(
    'a storm of ended connections, over a pool: %s',
    { timeout: 300_000 },
    async kind => {
      const { address, drop } = await create()
      if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
      const owner = storageAt(address)
      await owner.migrate()
      await openShop(owner)
      const session = await openSession(address)
      const named = new URL(address.connectionString)
      named.searchParams.set('application_name', address.schema)
      const caller = startCaller(kind, named.href, address.schema, 300)
      let over = false
      const heard = caller.heard.finally(() => {
        over = true
      })
      let ended = 0
      while (!over) {
        const rows = await session.run(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${address.schema}'`,
        )
        ended += rows.length
      }
      const { calls, answered, unheard } = await heard
      expect(unheard).toBe(0)
      expect(await caller.exited).toBe(0)
      expect(ended).toBeGreaterThan(0)
      expect(calls).toBeGreaterThanOrEqual(300)
      expect(answered).toBeGreaterThanOrEqual(0)
      await session.close()
      await owner.close()
      await drop()
    },
  )
})
