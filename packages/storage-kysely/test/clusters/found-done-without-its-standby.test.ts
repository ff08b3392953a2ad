import { setTimeout as sleep } from 'node:timers/promises'
import { type OwnServer, ownPostgres, ownStandby } from '@tillkit/servers'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CommitUnknownError, type DatabaseStorage } from '../../src/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { PATIENT } from '../engines/address.ts'
import { attempt, merchantId, NOW, openShop } from '../faults/shop.ts'
import { startedOr } from '../inspection/servers.ts'

const completed = { status: 'completed' } as const
const WAITING = `from pg_stat_activity where wait_event = 'SyncRep'`

const { server, why } = await startedOr(() => ownPostgres())

/** What the server has, and its standby has not got, is found done by whoever does it again. */
describe.skipIf(!server)(`a server whose synchronous standby is gone${why}`, () => {
  const primary = server as OwnServer
  let standby: OwnServer

  beforeAll(async () => {
    standby = await ownStandby(primary, true)
    const owner = postgresStorage({ connectionString: primary.url, ...PATIENT })
    await owner.migrate()
    await openShop(owner)
    await owner.close()
  })

  afterAll(async () => {
    await standby?.remove()
    await primary.remove()
  })

  /** How many sessions wait for the standby, each of which `so` is done with. */
  async function waiting(so = ''): Promise<number> {
    const client = new pg.Client({ connectionString: primary.url })
    client.on('error', () => {})
    await client.connect()
    const { rowCount } = await client.query(`select ${so} ${WAITING}`).finally(() => client.end())
    return rowCount ?? 0
  }

  describe.each([true, false])('with prepared statements: %s', preparedStatements => {
    let storage: DatabaseStorage
    let ids: number[]

    beforeEach(async () => {
      storage = postgresStorage({ connectionString: primary.url, preparedStatements, ...PATIENT })
      ids = []
      for (let n = 0; n < 6; n++) ids.push((await storage.payments.start(attempt(), NOW)).payment.id)
      const [first = 0] = ids
      await storage.payments.resolve({ merchantId, id: first }, completed, NOW)
      await storage.apiKeys.add(
        { merchantId, id: `key ${first}`, label: null, createdAt: NOW, expiresAt: null },
        `hash ${first}`,
      )
      await standby.stop()
      return async () => {
        if (!standby.running()) await standby.start()
        await storage.close()
      }
    })

    const pending = (n: number) => ({ merchantId, id: ids[n] ?? 0 })
    const end = (n: number) => storage.payments.resolve(pending(n), completed, NOW)

    /** What a call ends in each of whose waits for the standby somebody ends. */
    async function unsynced(call: () => Promise<unknown>): Promise<unknown> {
      let over = false
      const ended = call()
        .catch(error => error)
        .finally(() => {
          over = true
        })
      while (!over) await waiting('pg_cancel_backend(pid)')
      return ended
    }

    /** Whether a call has come to wait for the standby. False where it is answered before. */
    async function waits(call: Promise<unknown>): Promise<boolean> {
      let over = false
      call.finally(() => {
        over = true
      })
      while (!over) if ((await waiting()) > 0) return true
      return false
    }

    const writes: Record<string, () => Promise<unknown>> = {
      'an outcome': () => end(1),
      'an outcome in a transaction of the host’s': () =>
        storage.transaction(inside => inside.payments.resolve(pending(1), completed, NOW)),
      'a start by its key': () => storage.payments.start(attempt({ attemptKey: `key ${ids[0]}` }), NOW),
      'a start by its key in a transaction of the host’s': () =>
        storage.transaction(inside => inside.payments.start(attempt({ attemptKey: `key ${ids[0]}` }), NOW)),
      'a strict start by its key': () =>
        storage.payments.start(
          attempt({ attemptKey: `strict ${ids[0]}`, strict: true, merchantReference: `order ${ids[0]}` }),
          NOW,
        ),
      'a settlement': () => storage.payments.settle(merchantId, `statement ${ids[0]}`, [ids[0] ?? 0]),
      'a statement’s settlement': () =>
        storage.settlements.settle(merchantId, `statement ${ids[0]}`, [{ id: ids[0] ?? 0, fee: 1 }]),
      'a cash up by its key': () =>
        storage.cashUps.create(merchantId, {
          reference: `${ids[0]}`.padStart(32, '0'),
          idempotencyKey: `key ${ids[0]}`,
          now: NOW,
        }),
      'an API key that is revoked': () => storage.apiKeys.revoke(merchantId, `key ${ids[0]}`),
      'a URL': () =>
        storage.merchants.update(merchantId, { webhookUrl: `https://shop.example/${ids[0]}` }, NOW),
      'a webhook key': () => storage.merchants.setWebhookKey(merchantId, `key ${ids[0]}`),
      'a merchant that goes on': () => storage.merchants.resume(merchantId),
    }

    test.each(Object.entries(writes))('%s, done again, is acknowledged no sooner', async (_, write) => {
      for (let n = 0; n < 2; n++) expect(await unsynced(write)).toBeInstanceOf(CommitUnknownError)
    })

    test('outcomes that were given together, those too that came later', async () => {
      const given: Promise<unknown>[] = []
      for (const n of ids.keys()) {
        if (n === 0) continue
        given.push(end(n).catch(error => error))
        await sleep(30)
      }
      for (const error of (await unsynced(() => Promise.all(given))) as unknown[])
        expect(error).toBeInstanceOf(CommitUnknownError)
    })

    test.each(['an outcome', 'an API key that is revoked'])(
      '%s, found done after a restart, is acknowledged once the standby has it',
      async name => {
        const answer = (writes[name] as () => Promise<unknown>)()
        expect(await waits(answer)).toBe(true)
        await primary.kill()
        await primary.start()
        expect(await waits(answer)).toBe(true)
        await standby.start()
        expect(await answer).toBeTruthy()
      },
    )
  })
})
