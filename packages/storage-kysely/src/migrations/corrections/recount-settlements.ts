import { type Kysely, type RawBuilder, sql } from 'kysely'
import { transactionOf } from '../../connections/transaction-of.ts'
import { HexText } from '../../dialects/hex-text.ts'
import type { CorrectionContext } from '../migration.ts'
import { againOn } from '../run/again-on.ts'

/** How many keys are read at once. */
const PAGE = 200

interface Key {
  merchant_id: string
  statement_reference: string
}

/**
 * Counts again what each merchant has under a statement reference, where payments have it that are not in the totals: one that is
 * kept is added to by this version alone. Fees are what statements said, and stay. A reference is locked while it is counted, and
 * that only where its totals are wrong.
 */
export async function recountSettlements({
  db,
  dialect,
  placed,
  check,
  tell,
}: CorrectionContext): Promise<void> {
  const [settlements, payments] = [placed('settlements'), placed('payments')]
  // A driver that writes values into its statements may write these there.
  const text = (value: string) =>
    dialect.name === 'mysql' ? sql.raw(new HexText(value).toSqlString()) : sql`${value}`
  const has = ({ merchant_id, statement_reference }: Key) =>
    sql`merchant_id = ${text(merchant_id)} and statement_reference = ${text(statement_reference)}`
  const ofPayments = (what: RawBuilder<unknown>, key: Key) =>
    sql`(select ${what} from ${payments} where ${has(key)})`
  const count = (key: Key) => ofPayments(sql`count(*)`, key)
  const amount = (key: Key) => ofPayments(sql`coalesce(sum(total_amount), 0)`, key)

  const pageAfter = async (last: Key | undefined) => {
    const later =
      last &&
      sql`where merchant_id >= ${text(last.merchant_id)}
        and (merchant_id > ${text(last.merchant_id)} or statement_reference > ${text(last.statement_reference)})`
    const page = sql<Key>`select merchant_id, statement_reference from ${settlements} ${later ?? sql``}
      order by merchant_id, statement_reference limit ${sql.lit(PAGE)}`
    return (await page.execute(db)).rows
  }

  const isWrong = async (key: Key) => {
    const found = await sql`select merchant_id from ${settlements} where ${has(key)}
      and (payment_count <> ${count(key)} or total_amount <> ${amount(key)})`.execute(db)
    return found.rows.length > 0
  }

  const recount = async (key: Key, trx: Kysely<unknown>) => {
    // What others have settled until it is locked is seen by the next statement, and what they settle then is added to it.
    if (!dialect.oneWriter) await sql`select 1 from ${settlements} where ${has(key)} for update`.execute(trx)
    await sql`update ${settlements} set payment_count = ${count(key)}, total_amount = ${amount(key)}
      where ${has(key)}`.execute(trx)
  }

  const recountAlone = (key: Key) =>
    transactionOf(db, dialect, async trx => {
      await check(trx)
      await recount(key, trx)
    })

  const again = againOn(db, dialect)

  let done = 0
  for (let page = await again(() => pageAfter(undefined)); page.length > 0; ) {
    for (const key of page) {
      if (!(await again(() => isWrong(key)))) continue
      await again(() => (db.isTransaction ? recount(key, db) : recountAlone(key)))
    }
    done += page.length
    tell(done)
    page = await again(() => pageAfter(page.at(-1)))
  }
}
