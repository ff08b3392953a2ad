import { type Finding, findingsOf } from '@tillkit/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Whole } from '../schema/rows/payment-row.ts'
import type { Tables } from '../schema/tables.ts'
import type { Looking } from './looking.ts'

/** So many merchants are looked at by one statement, and for so many seconds at all. */
const [AT_ONCE, SECONDS] = [1000, 5]

/** So many merchants are named; whether there are more is said. */
const NAMED = 5

const { ok, note, problem } = findingsOf('ledgers')

/** What a ledger knows, and what there is of it. */
type Looked = Record<
  'paid' | 'cashed' | 'first' | 'last' | 'next' | 'block' | 'sum' | 'cashUp' | 'nextCashUp',
  number
>

interface Disagreement {
  isThere(looked: Looked): boolean
  says: string
  advice: string
}

const AS_WRITTEN = 'docs/by-hand.md of @tillkit/storage-kysely has the statements.'

const DISAGREEMENTS: Disagreement[] = [
  {
    isThere: ({ next }) => next > 0,
    says: 'Payments come after the last one that the ledger knows, and no other can be started, of',
    advice: `Put the ledger forward to the last of them: ${AS_WRITTEN}`,
  },
  {
    isThere: ({ paid, first, last }) => paid > 0 && !(first > 0 && last > 0),
    says: 'The first or the last payment is gone, and totals count it, of',
    advice:
      'Nothing of Tillkit’s removes a payment: see who writes to the tables, and put back from a backup what is gone.',
  },
  {
    isThere: ({ paid, block, sum }) => block > paid || sum > paid,
    says: 'Totals are kept of payments that the ledger does not know, of',
    advice: `Delete what is kept, which is counted again: ${AS_WRITTEN}`,
  },
  {
    isThere: ({ cashed, cashUp, nextCashUp }) => nextCashUp > 0 || (cashed > 0 && cashUp === 0),
    says: 'The last cash up is not the one that the ledger knows, of',
    advice: `Put back from a backup the cash ups that are gone, or the ledger forward to the last: ${AS_WRITTEN}`,
  },
]

interface Round {
  /** For how long merchants are looked at, but for the first of them. */
  seconds?: number
  /** Where in the order of all merchants it begins, from 0 to 1. */
  at?: number
}

/**
 * Sets each merchant's ledger against its rows. Nothing of Tillkit's parts them: what restores, moves or deletes the rows of
 * some tables does. A merchant costs the same however many payments it has. It begins after one taken at random and goes round to
 * that one, so that where there are more than there is time for no merchant is always among those that are left out.
 */
export async function ledgerFindings(
  { tables }: Pick<Looking, 'tables'>,
  { seconds = SECONDS, at = Math.random() }: Round = {},
): Promise<Finding[]> {
  const disagreeing = DISAGREEMENTS.map(one => ({ ...one, merchants: [] as string[] }))
  const until = performance.now() + seconds * 1000
  const first = await merchantAt(tables, at)
  let [after, upTo]: [string, string | undefined] = [first, undefined]
  let left = true
  do {
    const rows = await looked(tables, after, upTo)
    for (const [merchantId, row] of rows) {
      for (const { isThere, merchants } of disagreeing) if (isThere(row)) merchants.push(merchantId)
    }
    if (rows.length === AT_ONCE) after = rows.at(-1)?.[0] ?? after
    else if (upTo === undefined) [after, upTo] = ['', first]
    else left = false
  } while (left && (after === '' || performance.now() < until))
  const found = disagreeing
    .filter(({ merchants }) => merchants.length > 0)
    .map(({ says, merchants, advice }) => problem(`${says}: ${named(merchants.sort())}.`, advice))
  if (left) {
    const says = `Ledgers were looked at for ${seconds} seconds: none after that of ${after}`
    return [...found, note(`${says}, round to that of ${first}; another time it begins elsewhere.`)]
  }
  return found.length > 0 ? found : [ok('Each merchant’s ledger agrees with its payments and cash ups.')]
}

/** The id of one merchant of all in their order; `''` where there is none. */
async function merchantAt(tables: Looking['tables'], at: number): Promise<string> {
  const counted = await tables
    .selectFrom('merchants')
    .select(sql<Whole>`count(*)`.as('total'))
    .executeTakeFirst()
  const row = await tables
    .selectFrom('merchants')
    .select('id')
    .orderBy('id')
    .limit(1)
    .offset(Math.floor(Number(counted?.total ?? 0) * at))
    .executeTakeFirst()
  return row?.id ?? ''
}

function named(merchants: string[]): string {
  return `${merchants.slice(0, NAMED).join(', ')}${merchants.length > NAMED ? ' and others' : ''}`
}

/** Of the merchants after that one, up to that one where there is one. Each look is for one entry of a key, in a form that no planner makes a join of whole tables of. */
async function looked(
  tables: Looking['tables'],
  after: string,
  upTo: string | undefined,
): Promise<[merchantId: string, Looked][]> {
  const kept = (table: keyof Tables, column: string, which: RawBuilder<unknown>) =>
    sql<Whole | null>`(select ${sql.ref(`kept.${column}`)} from ${sql.table(table)} as kept
      where kept.merchant_id = ledger.merchant_id ${which})`
  const payment = (id: RawBuilder<unknown>) => kept('payments', 'id', sql`and kept.id = ${id}`)
  const cashUp = (number: RawBuilder<unknown>) => kept('cash_ups', 'number', sql`and kept.number = ${number}`)
  const [paid, cashed] = [sql`ledger.last_payment_id`, sql`ledger.last_cash_up_number`]
  const rows = await tables
    .selectFrom('ledgers as ledger')
    .select([
      'ledger.merchant_id as merchantId',
      'ledger.last_payment_id as paid',
      'ledger.last_cash_up_number as cashed',
      payment(sql`1`).as('first'),
      payment(paid).as('last'),
      payment(sql`${paid} + 1`).as('next'),
      kept('payment_blocks', 'up_to', sql`order by kept.up_to desc limit 1`).as('block'),
      kept('payment_sums', 'last_id', sql`order by kept.first_id desc limit 1`).as('sum'),
      cashUp(cashed).as('cashUp'),
      cashUp(sql`${cashed} + 1`).as('nextCashUp'),
    ])
    .where('ledger.merchant_id', '>', after)
    .$if(upTo !== undefined, query => query.where('ledger.merchant_id', '<=', upTo as string))
    .orderBy('ledger.merchant_id')
    .limit(AT_ONCE)
    .execute()
  return rows.map(({ merchantId, ...numbers }) => {
    const whole = Object.entries(numbers).map(([name, number]) => [name, Number(number ?? 0)])
    return [merchantId, Object.fromEntries(whole) as Looked]
  })
}
