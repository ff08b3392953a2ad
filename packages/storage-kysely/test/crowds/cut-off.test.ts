import { afterEach, beforeEach, expect, test } from 'vitest'
import { CommitUnknownError } from '../../src/index.ts'
import { overEveryServer } from '../engines/index.ts'
import type { Narrow } from '../engines/narrow.ts'
import { type CuttingProxy, startProxy } from '../faults/proxy.ts'
import { byPort, serverOf } from '../faults/session.ts'
import { ALL, NOW } from '../faults/shop.ts'
import { CrowdGround, completed, neighbours } from './ground.ts'

/** What is told of those that share what a cut connection was sent. */
overEveryServer(engine => {
  let ground: CrowdGround
  let narrow: Narrow
  let proxy: CuttingProxy

  beforeEach(async () => {
    ground = await CrowdGround.open(engine)
    proxy = await startProxy(serverOf(ground.address))
    narrow = await ground.narrow(byPort(ground.address, proxy.port))
  })

  afterEach(async () => {
    await ground.close()
    await proxy.close()
  })

  /** On PostgreSQL the one statement is its own commit; on MariaDB the commit was still to come. */
  const commits = () => ground.address.dialect === 'postgres'

  test('starts: those that may be written are unknown, and those that cannot be are written once more', async () => {
    for (const id of neighbours) await ground.start(id)
    const go = await ground.takeConnection(narrow)
    const starting = Promise.allSettled(
      neighbours.map(id => ground.start(id, { userReference: `of ${id}` }, narrow.over)),
    )
    proxy.cutAfter(/of neighbour-30/)
    await go()
    for (const one of await starting) {
      if (commits()) expect(one).toMatchObject({ reason: expect.any(CommitUnknownError) })
      else expect(one).toMatchObject({ value: { created: true } })
    }
    for (const id of neighbours) {
      const { items } = await ground.storage.payments.list(id, {}, ALL)
      expect(items.map(({ userReference }) => userReference)).toEqual([`of ${id}`, null])
    }
    expect(proxy.cuts()).toBe(1)
  })

  test('outcomes: all are given, each with one delivery', async () => {
    const started = await Promise.all(neighbours.map(id => ground.start(id)))
    const go = await ground.takeConnection(narrow)
    const ending = started.map(({ payment }) => narrow.over.payments.resolve(payment, completed, NOW))
    proxy.cutAfter(commits() ? /delivery/ : /lease_until/)
    await go()
    expect((await Promise.all(ending)).map(one => one?.payment.status)).toEqual(
      neighbours.map(() => 'completed'),
    )
    for (const id of neighbours) expect(await ground.deliveriesOf(id)).toHaveLength(1)
    expect(proxy.cuts()).toBe(1)
  })
})
