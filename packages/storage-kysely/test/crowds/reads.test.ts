import { setTimeout as sleep } from 'node:timers/promises'
import { UnreadableRowError } from '@tillkit/storage'
import { statementChannel } from '@tillkit/storage/channels'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseError, kyselyStorage } from '../../src/index.ts'
import { hostDatabaseAt, PATIENT, placeOf } from '../engines/address.ts'
import { overEveryServer } from '../engines/index.ts'
import type { Narrow } from '../engines/narrow.ts'
import { startProxy } from '../faults/proxy.ts'
import { byPort, serverOf } from '../faults/session.ts'
import { openShop } from '../faults/shop.ts'
import { CrowdGround, neighbours, upTo } from './ground.ts'

/** Reads by id of many merchants that wait for a connection share the statement that gets it. */
overEveryServer(engine => {
  let ground: CrowdGround
  let narrow: Narrow
  const FOR_MANY = /unnest|json_table/
  /** How many statements were for many payments, and how many for one. */
  const sent = () => {
    const reads = narrow.texts.filter(text => /^select.* from .*tillkit_payments/s.test(text))
    const many = reads.filter(text => FOR_MANY.test(text)).length
    return { many, one: reads.length - many }
  }

  beforeEach(async () => {
    ground = await CrowdGround.open(engine)
    narrow = await ground.narrow()
  })

  afterEach(() => ground.close())

  test('payments of many merchants are asked for at once', async () => {
    const started = await Promise.all(neighbours.map(id => ground.start(id, { userReference: id })))
    const go = await ground.takeConnection(narrow)
    const reading = started.flatMap(({ payment: { merchantId, id } }) =>
      [id, id + 1].map(one => narrow.over.payments.get({ merchantId, id: one })),
    )
    await go()
    expect(await Promise.all(reading)).toEqual(started.flatMap(({ payment }) => [payment, null]))
    expect(sent()).toEqual({ many: 1, one: 0 })
  })

  test('those that come at once over a Kysely of the host’s, and find no connection free, too', async () => {
    const { payment } = await ground.start('neighbour-1')
    const db = hostDatabaseAt(ground.address)
    const hosted = kyselyStorage(db as never, ground.address.dialect, {
      ...PATIENT,
      ...placeOf(ground.address),
    })
    let statements = 0
    const count = () => {
      statements += 1
    }
    statementChannel.start.subscribe(count)
    const found = await Promise.all(upTo(60).map(() => hosted.payments.get(payment)))
    statementChannel.start.unsubscribe(count)
    await db.destroy()
    expect(found).toEqual(upTo(60).map(() => payment))
    // As many by themselves as it may have connections.
    expect(statements).toBeLessThan(20)
  })

  test('so many that one statement is not for all of them', async () => {
    const { payment } = await ground.start('neighbour-1')
    const go = await ground.takeConnection(narrow)
    const reading = upTo(250).map(n => narrow.over.payments.get({ ...payment, id: n % 2 }))
    await go()
    expect(await Promise.all(reading)).toEqual(upTo(250).map(n => (n % 2 ? payment : null)))
    expect(sent()).toEqual({ many: 3, one: 0 })
  })

  test('one that cannot be asked for or read fails alone', async () => {
    const { session } = ground
    const started = await Promise.all(neighbours.map(id => ground.start(id)))
    await session.run(
      `update ${session.table('payments')} set total_amount = 9007199254740993 where merchant_id = 'neighbour-3'`,
    )
    const go = await ground.takeConnection(narrow)
    const reading = started.map(({ payment }) => narrow.over.payments.get(payment))
    const hostile = narrow.over.payments.get({ merchantId: 'NUL \0', id: 1 })
    const settled = Promise.allSettled([...reading, hostile])
    await go()
    const read = await settled
    expect(read.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([2])
    expect(read[30]).toEqual({ status: 'fulfilled', value: null })
    expect(read[2]).toMatchObject({ reason: expect.any(UnreadableRowError) })
  })

  test('an id that begins as another one is another’s, however long it is', async () => {
    const longest = 'n'.repeat(64)
    await openShop(ground.storage, longest)
    const { payment } = await ground.start(longest)
    const go = await ground.takeConnection(narrow)
    const keys = [
      payment,
      { merchantId: `${longest}e`, id: payment.id },
      { merchantId: `${longest} `, id: 1 },
    ]
    const reading = keys.map(key => narrow.over.payments.get(key))
    await go()
    expect(await Promise.all(reading)).toEqual([payment, null, null])
  })

  test('whoever waits too long is told so, in its own time', async () => {
    const warnings: Error[] = []
    const warned = (warning: Error) => warnings.push(warning)
    process.on('warning', warned)
    const hasty = { lockTimeoutSeconds: 60, readTimeoutSeconds: 4, writeTimeoutSeconds: 60 }
    const { over } = await ground.narrow(ground.address, hasty)
    const [taken, enough] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = over.transaction(async () => {
      taken.resolve()
      await enough.promise
    })
    await taken.promise
    const starting = neighbours.map(id => ground.start(id, {}, over))
    const early = Promise.allSettled(neighbours.map(id => over.payments.get({ merchantId: id, id: 1 })))
    await sleep(2000)
    const late = Promise.all(neighbours.map(id => over.payments.get({ merchantId: id, id: 2 })))
    for (const one of await early) {
      expect(one).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseError) })
    }
    enough.resolve()
    await holding
    expect(await late).toEqual(neighbours.map(() => null))
    expect((await Promise.all(starting)).map(({ payment }) => payment.id)).toEqual(neighbours.map(() => 1))
    expect(await over.payments.get({ merchantId: 'neighbour-1', id: 1 })).not.toBeNull()
    process.off('warning', warned)
    expect(warnings).toEqual([])
  })

  test('what a cut connection was asked is asked again', async () => {
    const proxy = await startProxy(serverOf(ground.address))
    const behind = await ground.narrow(byPort(ground.address, proxy.port))
    const started = await Promise.all(neighbours.map(id => ground.start(id)))
    const go = await ground.takeConnection(behind)
    const reading = started.map(({ payment }) => behind.over.payments.get(payment))
    proxy.cutAfter(FOR_MANY)
    await go()
    expect(await Promise.all(reading)).toEqual(started.map(({ payment }) => payment))
    expect(proxy.cuts()).toBe(1)
    await proxy.close()
  })
})
