import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { kyselyStorage } from '../../src/index.ts'
import { FUNCTIONS } from '../../src/schema/names.ts'
import { PATIENT, placeOf as placeOfTables } from '../engines/address.ts'
import { createOnCitus } from '../engines/citus.ts'
import { overCitus } from '../engines/over-citus.ts'
import { attempt, merchantId, NOW, openShop } from '../faults/shop.ts'
import { connectTo, moveOf, placeOf } from './place-of.ts'

const LATER = '2099-01-01T00:00:00.000Z'

overCitus(() => {
  test('claims find out once in a while that a shard is held, however many merchants it has, and take what others have due', async () => {
    const { merchants, claim, asked, connectionString, schema } = await openClaims()
    const [beside, elsewhere] = await merchants(8, 1)
    const mover = await connectTo(connectionString)
    onTestFinished(() => mover.end())
    await mover.query('begin')
    await mover.query((await moveOf(schema, merchantId)).statement)
    const atTime = stoppedClock()
    expect(await claim(99)).toEqual(elsewhere)
    asked()
    for (let n = 0; n < 3; n++) expect(await claim(99)).toEqual([])
    expect(asked()).toEqual([])
    atTime(1500)
    expect(await claim(99)).toEqual([])
    expect(asked().length).toBeLessThanOrEqual(4)
    await mover.query('rollback')
    expect(await claim(99)).toEqual([])
    expect(asked()).toEqual([])
    atTime(3000)
    expect((await claim(99)).sort()).toEqual(beside.sort())
  })

  test('a merchant whose deliveries are not to be had is told of, and has nobody claim later than usual', async () => {
    const { merchants, claim, asked, refuse } = await openClaims()
    const [[refused = ''], [other = '']] = await merchants(1, 1)
    refuse(refused)
    const atTime = stoppedClock()
    expect(await claim(99, null)).toEqual([other])
    expect(asked()).toContain(refused)
    expect(await claim(99, null)).toEqual([])
    expect(asked()).toEqual([])
    atTime(6000)
    await expect(claim(99, null)).rejects.toThrow()
    refuse(null)
    atTime(12_000)
    expect(await claim(99, null)).toEqual([refused])
  })

  test('whoever asks for all that is due at a time is told of them each time', async () => {
    const { merchants, claim, refuse } = await openClaims()
    const [[refused = ''], [other = '']] = await merchants(1, 1)
    refuse(refused)
    stoppedClock()
    expect(await claim(99)).toEqual([other])
    for (let n = 0; n < 3; n++) await expect(claim(99)).rejects.toThrow()
    refuse(null)
    expect(await claim(99)).toEqual([refused])
    expect(await claim(99)).toEqual([])
  })
})

/** Has `performance.now()` stand still; what is returned has it stand so many milliseconds later. */
function stoppedClock() {
  const begun = performance.now()
  const time = vi.spyOn(performance, 'now').mockReturnValue(begun)
  onTestFinished(() => time.mockRestore())
  return (milliseconds: number) => time.mockReturnValue(begun + milliseconds)
}

/** A storage over a host's pool, of which is known whose deliveries are asked for, one of each; those of one merchant may be refused. */
async function openClaims() {
  const { address, storage, connectionString, schema, drop } = await createOnCitus()
  const pool = new pg.Pool({ connectionString })
  let heard: string[] = []
  let refused: string | null = null
  pool.on('connect', client => {
    const query = client.query.bind(client) as (text: string, values: unknown[]) => unknown
    client.query = (async (text: string, values: unknown[] = []) => {
      if (text.includes(FUNCTIONS.claim)) {
        const whose = `${values[0]}`
        heard.push(whose)
        if (whose === refused) throw Object.assign(new Error('the node is out of sorts'), { code: '42501' })
      }
      return query(text, values)
    }) as never
  })
  const db = new Kysely<never>({ dialect: new PostgresDialect({ pool }) })
  const host = kyselyStorage(db, 'postgres', { ...PATIENT, ...placeOfTables(address) })
  onTestFinished(async () => {
    await pool.end()
    await drop()
  })
  return {
    ...{ connectionString, schema },
    /** Merchants with one delivery due, the one of `merchantId` first: so many in its shard, so many in others. */
    async merchants(beside: number, elsewhere: number) {
      const { shard } = await placeOf(schema, merchantId)
      const found: [string[], string[]] = [[merchantId], []]
      for (let n = 0; found[0].length < beside || found[1].length < elsewhere; n++) {
        const isBeside = (await placeOf(schema, `shop-${n}`)).shard === shard
        found[isBeside ? 0 : 1].push(`shop-${n}`)
      }
      const those: [string[], string[]] = [found[0].slice(0, beside), found[1].slice(0, elsewhere)]
      for (const shop of those.flat()) {
        await openShop(storage, shop)
        const { payment } = await storage.payments.start(attempt({ merchantId: shop }), NOW)
        await storage.payments.resolve(payment, { status: 'completed' }, NOW)
      }
      return those
    },
    async claim(limit: number, now: string | null = NOW) {
      const claimed = await host.deliveries.claim({ now, leaseUntil: LATER, limit })
      return claimed.map(one => one.merchantId)
    },
    /** Whose deliveries were asked for since this was called last. */
    asked() {
      const those = heard
      heard = []
      return those
    },
    refuse(whose: string | null) {
      refused = whose
    },
  }
}
