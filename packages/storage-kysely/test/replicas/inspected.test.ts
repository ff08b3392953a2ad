import { beforeAll, expect, test } from 'vitest'
import { openShop } from '../faults/shop.ts'
import { found } from '../inspection/checked.ts'
import { overFollowers } from './over-followers.ts'

/** What an inspection says of a replica, which is left alone without a word. */
overFollowers(({ name: engine, theServers, servers }) => {
  beforeAll(async () => {
    const storage = servers()?.storage()
    if (!storage) return
    await storage.migrate()
    await openShop(storage)
    await storage.close()
  })

  test('that follows, does not come up, or is not there', { timeout: 300_000 }, async context => {
    const { storage: open, pause, goOn, hurry } = theServers(context)
    const storage = open(3600)
    await expect
      .poll(() => found(storage, 'replica'), { timeout: 60_000 })
      .toEqual(['ok: The replica follows, no further than 5 s behind.'])
    await storage.close()
    await pause()
    const near = open(1)
    // The server's log has come further than where the replica stands.
    await openShop(near, `shop-${Date.now()}`)
    await hurry()
    expect(await found(near, 'replica')).toEqual([
      'warning: The replica has not come within 1 s to where the server that takes writes was.',
    ])
    await goOn()
    await near.close()
    const { primary } = theServers(context)
    const gone = Object.assign(new URL(primary.url), { port: '1' }).href
    const lonely = open(1, undefined, gone)
    expect(await found(lonely, 'replica')).toEqual([
      expect.stringMatching(/^warning: The replica is not asked: .*(ECONNREFUSED|reached|connect)/),
    ])
    await lonely.close()
  })

  test.skipIf(engine !== 'PostgreSQL')('that is none', { timeout: 300_000 }, async context => {
    const { storage: open, primary } = theServers(context)
    const storage = open(1, undefined, primary.url)
    expect(await found(storage, 'replica')).toEqual([
      'warning: The replica is not asked: the replica follows another server.',
    ])
    await storage.close()
  })
})
