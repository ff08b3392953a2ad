import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CommitUnknownError, DatabaseError, type DatabaseStorage } from '../../src/index.ts'
import { storageAt } from '../engines/address.ts'
import { overEveryServer } from '../engines/index.ts'
import { merchantId, NOW } from '../faults/shop.ts'
import { CrowdGround, completed, neighbours } from './ground.ts'

const SECONDS = 6
/** What a pool of a storage's own makes. */
const CONNECTIONS = 10
const LIMITS = { lockTimeoutSeconds: 60, readTimeoutSeconds: SECONDS, writeTimeoutSeconds: SECONDS }
const [OLD, ...YOUNG] = neighbours.slice(0, 4) as [string, ...string[]]

/** Those that share a statement with one whose time is over have what is left of their own. */
overEveryServer(engine => {
  let ground: CrowdGround
  let over: DatabaseStorage
  let isPostgres: boolean

  beforeEach(async () => {
    ground = await CrowdGround.open(engine)
    isPostgres = ground.address.dialect === 'postgres'
    over = (await ground.narrow(ground.address, LIMITS)).over
  })

  afterEach(() => ground.close())

  /** Has so many connections until what is returned is called. */
  async function hold(storage = over, count = 1): Promise<() => Promise<unknown>> {
    const enough = Promise.withResolvers<void>()
    const holding: Promise<void>[] = []
    for (let n = 0; n < count; n++) {
      const taken = Promise.withResolvers<void>()
      const work = () => {
        taken.resolve()
        return enough.promise
      }
      holding.push(storage.transaction(work))
      await taken.promise
    }
    return () => {
      enough.resolve()
      return Promise.all(holding)
    }
  }

  /** A call of one, and half of its time later those of others, which the statement that gets the connection is for as well. */
  async function oldAndYoung<Answer>(call: (id: string) => Promise<Answer>, meanwhile?: string) {
    const { session } = ground
    const payments = session.table('payments')
    const letGo = await hold()
    const old = Promise.allSettled([call(OLD)])
    await sleep((SECONDS / 2) * 1000)
    const young = Promise.allSettled(YOUNG.map(call))
    if (isPostgres) await session.run('begin')
    await session.run(
      isPostgres ? `lock table ${payments} in access exclusive mode` : `lock tables ${payments} write`,
    )
    await letGo()
    const [ended] = await old
    expect(ended).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseError) })
    if (meanwhile) await session.run(`alter table ${payments} ${meanwhile}`)
    await session.run(isPostgres ? 'commit' : 'unlock tables')
    return young
  }

  test('outcomes: what may have taken place is written again', async () => {
    for (const id of [OLD, ...YOUNG]) await ground.start(id)
    const young = await oldAndYoung(id => over.payments.resolve({ merchantId: id, id: 1 }, completed, null))
    for (const one of young) expect(one).toMatchObject({ value: { payment: { status: 'completed' } } })
    for (const id of YOUNG) expect(await ground.deliveriesOf(id)).toHaveLength(1)
  })

  test('outcomes: what may have taken place, and is refused when it is written again, is unknown', async () => {
    for (const id of [OLD, ...YOUNG]) await ground.start(id)
    const give = (id: string) => over.payments.resolve({ merchantId: id, id: 1 }, completed, null)
    for (const one of await oldAndYoung(give, 'rename to elsewhere')) {
      // On MariaDB nothing was sent to be committed.
      const reason = isPostgres ? expect.any(CommitUnknownError) : { name: 'DatabaseError' }
      expect(one).toMatchObject({ status: 'rejected', reason })
    }
  })

  test('starts: they go on where none was sent to be committed', async () => {
    // On PostgreSQL the one statement is its own commit.
    const young = await oldAndYoung(id => ground.start(id, {}, over))
    for (const one of young) {
      if (isPostgres) expect(one).toMatchObject({ reason: expect.any(CommitUnknownError) })
      else expect(one).toMatchObject({ value: { created: true, payment: { id: 1 } } })
    }
  })

  test('payments that are read', async () => {
    for (const id of YOUNG) await ground.start(id)
    const young = await oldAndYoung(id => over.payments.get({ merchantId: id, id: 1 }))
    for (const one of young) expect(one).toMatchObject({ value: { status: 'pending' } })
  })

  test('starts and outcomes of one merchant that had no connection', async () => {
    for (let n = 0; n < 6; n++) await ground.start(merchantId)
    const wide = storageAt(ground.address, {}, LIMITS)
    const calls = (ids: number[]) => [
      ...ids.map(() => ground.start(merchantId, {}, wide)),
      ...ids.map(id => wide.payments.resolve({ merchantId, id }, completed, null)),
    ]
    const letGo = await hold(wide, CONNECTIONS)
    // Two of each go by themselves, and the third with those that come later.
    const old = Promise.allSettled(calls([1, 2, 3]))
    await sleep((SECONDS / 2) * 1000)
    const young = Promise.allSettled(calls([4, 5, 6]))
    for (const one of await old) {
      expect(one).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseError) })
    }
    await letGo()
    expect((await young).map(({ status }) => status)).toEqual(Array(6).fill('fulfilled'))
    await wide.close()
  })

  test('starts of one merchant whose turn did not come', async () => {
    const limits = { lockTimeoutSeconds: 3, readTimeoutSeconds: 3, writeTimeoutSeconds: 12 }
    const wide = storageAt(ground.address, {}, limits)
    const letGo = await hold(wide, CONNECTIONS)
    // As many as may write at once wait for a connection, so that nobody else's turn comes.
    const taking = neighbours
      .slice(0, CONNECTIONS - 1)
      .map(id => wide.cashUps.create(id, { reference: '0'.repeat(32), idempotencyKey: null, now: NOW }))
    // Two go by themselves, and the third with those that come later.
    const old = Promise.allSettled([1, 2, 3].map(() => ground.start(merchantId, {}, wide)))
    await sleep(1500)
    const young = Promise.allSettled([4, 5, 6].map(() => ground.start(merchantId, {}, wide)))
    for (const one of await old) {
      expect(one).toMatchObject({ reason: { message: expect.stringMatching(/^the lock of merchant shop/) } })
    }
    await letGo()
    expect((await young).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'))
    await Promise.all(taking)
    await wide.close()
  })
})
