import { afterEach, beforeEach, expect, test } from 'vitest'
import { overPostgres } from '../engines/index.ts'
import type { Narrow } from '../engines/narrow.ts'
import { CrowdGround, neighbours } from './ground.ts'

const KEPT_OUT = /^a trigger of the database keeps a row of a Tillkit table from being written/

overPostgres(engine => {
  let ground: CrowdGround
  let narrow: Narrow

  beforeEach(async () => {
    ground = await CrowdGround.open(engine)
    narrow = await ground.narrow()
  })

  afterEach(() => ground.close())

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
