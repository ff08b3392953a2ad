import { type Finding, findingsOf } from '@tillkit/domain'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import type { Looking } from './looking.ts'

/** What a merchant's ledger and its rows can disagree on. */
interface Disagreement {
  isThere: RawBuilder<SqlBool>
  says: string
  advice: string
}

/** So many merchants are named; whether there are more is said. */
const NAMED = 5

const { ok, problem } = findingsOf('ledgers')

/**
 * Sets each merchant's ledger against its rows. Nothing of Tillkit's parts them: what restores, moves or deletes the rows of
 * some tables does. Each look is one entry of a key, so that a merchant costs the same however many payments it has.
 */
export async function ledgerFindings({ tables }: Pick<Looking, 'tables'>): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { isThere, says, advice } of DISAGREEMENTS) {
    const rows = await tables
      .selectFrom('ledgers as ledger')
      .select('merchant_id')
      .where(isThere)
      .orderBy('merchant_id')
      .limit(NAMED + 1)
      .execute()
    if (rows.length === 0) continue
    const names = rows.slice(0, NAMED).map(({ merchant_id }) => merchant_id)
    const more = rows.length > NAMED ? ' and others' : ''
    found.push(problem(`${says}: ${names.join(', ')}${more}.`, advice))
  }
  return found.length > 0 ? found : [ok('Each merchant’s ledger agrees with its payments and cash ups.')]
}

const has = (table: keyof Tables, condition: RawBuilder<unknown>) =>
  sql<SqlBool>`exists (select 1 from ${sql.table(table)} as kept where kept.merchant_id = ledger.merchant_id and ${condition})`
const hasPayment = (id: RawBuilder<unknown>) => has('payments', sql`kept.id = ${id}`)
const hasCashUp = (number: RawBuilder<unknown>) => has('cash_ups', sql`kept.number = ${number}`)

const [lastId, lastNumber] = [sql`ledger.last_payment_id`, sql`ledger.last_cash_up_number`]

const AS_WRITTEN = 'docs/by-hand.md of @tillkit/storage-kysely has the statements.'

const DISAGREEMENTS: Disagreement[] = [
  {
    isThere: hasPayment(sql`${lastId} + 1`),
    says: 'Payments come after the last one that the ledger knows, and no other can be started, of',
    advice: `Put the ledger forward to the last of them: ${AS_WRITTEN}`,
  },
  {
    isThere: sql<SqlBool>`${lastId} > 0 and not (${hasPayment(sql`1`)} and ${hasPayment(lastId)})`,
    says: 'The first or the last payment is gone, and totals count it, of',
    advice:
      'Nothing of Tillkit’s removes a payment: see who writes to the tables, and put back from a backup what is gone.',
  },
  {
    isThere: sql<SqlBool>`(${has('payment_blocks', sql`kept.up_to > ${lastId}`)}
      or ${has('payment_sums', sql`kept.last_id > ${lastId}`)})`,
    says: 'Totals are kept of payments that the ledger does not know, of',
    advice: `Delete what is kept, which is counted again: ${AS_WRITTEN}`,
  },
  {
    isThere: sql<SqlBool>`(${hasCashUp(sql`${lastNumber} + 1`)} or ${lastNumber} > 0 and not ${hasCashUp(lastNumber)})`,
    says: 'The last cash up is not the one that the ledger knows, of',
    advice: `Put back from a backup the cash ups that are gone, or the ledger forward to the last: ${AS_WRITTEN}`,
  },
]
