import { afterEach, beforeEach, expect, test } from 'vitest'
import { overPostgres } from '../engines/index.ts'
import type { Narrow } from '../engines/narrow.ts'
import { openSession } from '../faults/session.ts'
import { NOW } from '../faults/shop.ts'
import { CrowdGround, neighbours } from './ground.ts'

const KEPT_OUT = /^a trigger of the database keeps a row of a Tillkit table from being written/

/** On PostgreSQL one statement starts them all: what is committed while it runs it must not miss, nor what a trigger keeps out. */
overPostgres(engine => {
  let ground: CrowdGround
  let narrow: Narrow

  beforeEach(async () => {
    ground = await CrowdGround.open(engine)
    narrow = await ground.narrow()
  })

  afterEach(() => ground.close())

  test.each([
    ['a scan code is suspended', 'neighbour-7'],
    ['a key is used', 'neighbour-9'],
  ])('%s after the statement began and before it had that merchant’s lock', async (_, whose) => {
    const { storage, session } = ground
    const { schema } = ground.address as { schema: string }
    await storage.scanCodes.add({
      code: 'till-7',
      merchantId: 'neighbour-7',
      reference: null,
      createdAt: NOW,
    })
    // The first of the crowd has a code that takes as long as somebody else wants, in the one statement of all.
    const key = `hashtextextended('${schema}', 0)`
    const [codes, table] = ['scan_codes', 'scan_codes_as_they_are'].map(name => session.table(name))
    const other = await openSession(ground.address)
    await other.run(`alter table ${codes} rename to tillkit_scan_codes_as_they_are`)
    await other.run(
      `create view ${codes} as select code, merchant_id, reference, created_at,
        case when code = 'slow' then (select suspended_at from pg_advisory_xact_lock(${key})) else suspended_at end
          as suspended_at
      from ${table}`,
    )
    await other.run(
      `insert into ${table} (code, merchant_id, created_at) values ('slow', 'neighbour-1', now())`,
    )
    await other.run(`select pg_advisory_lock(${key})`)
    const go = await ground.takeConnection(narrow)
    const starting = neighbours.map(id => {
      const scanCode = id === 'neighbour-1' ? 'slow' : `till-${id.slice(10)}`
      return ground.start(id, { scanCode, attemptKey: 'key' }, narrow.over)
    })
    const answers = Promise.allSettled(starting)
    const gone = go()
    const waits = `wait_event = 'advisory' and query like '%${schema}%'`
    while ((await other.run(`select from pg_stat_activity where ${waits}`)).length === 0);
    if (whose === 'neighbour-7') {
      await other.run('begin')
      await other.run(`update ${table} set suspended_at = now() where code = 'till-7'`)
      await other.run(
        `update ${other.table('ledgers')} set suspensions = suspensions + 1 where merchant_id = 'neighbour-7'`,
      )
      await other.run('commit')
    } else await ground.start(whose, { attemptKey: 'key', userReference: 'first' })
    await other.run(`select pg_advisory_unlock(${key})`)
    await gone
    for (const [n, answer] of (await answers).entries()) {
      if (neighbours[n] !== whose)
        expect(answer).toMatchObject({ value: { created: true, payment: { id: 1 } } })
      else if (n === 6)
        expect(answer).toMatchObject({ reason: { message: expect.stringMatching(/suspended/) } })
      else expect(answer).toMatchObject({ value: { created: false, payment: { userReference: 'first' } } })
    }
    await other.close()
  })

  test('of starts of many merchants only those are refused whose rows a trigger keeps out, and leave no gap', async () => {
    const { session } = ground
    const [payments, keepOut] = [session.table('payments'), session.table('keep_out')]
    await session.run(
      `create function ${keepOut}() returns trigger language plpgsql as 'begin return null; end'`,
    )
    await session.run(
      `create trigger keeps_out before insert on ${payments} for each row when (new.total_amount = 13) execute function ${keepOut}()`,
    )
    const amountOf = (n: number) => (n === 3 ? 13 : 100 + n)
    const go = await ground.takeConnection(narrow)
    const starting = neighbours.map((id, n) => ground.start(id, { totalAmount: amountOf(n) }, narrow.over))
    await go()
    const ended = await Promise.allSettled(starting)
    for (const [n, one] of ended.entries()) {
      if (amountOf(n) === 13) {
        expect(one).toMatchObject({ reason: { message: expect.stringMatching(KEPT_OUT) } })
      } else {
        expect(one).toMatchObject({ value: { created: true, payment: { id: 1, totalAmount: amountOf(n) } } })
      }
    }
    await session.run(`drop trigger keeps_out on ${payments}`)
    for (const [n, id] of neighbours.entries()) {
      expect((await ground.start(id, {}, narrow.over)).payment.id).toBe(amountOf(n) === 13 ? 1 : 2)
    }
  })
})
