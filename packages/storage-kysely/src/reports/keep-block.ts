import type { WireDate } from '@tillkit/domain'
import type { Insertable } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/statements/prepared.ts'
import { PeriodSums } from './period-sums.ts'
import { paymentsIn, runsQuery } from './runs-query.ts'
import { keptTakings } from './takings/step-sums.ts'

type Row = Insertable<Tables['payment_sums']>

/** How many pending payments a block lists at most: each is looked at for itself whenever the block is used. */
const MOST_UNRESOLVED = 64

const HOUR = 3_600_000

/** Whether a payment is no longer one of those that are pending for a moment, or followed by more at once. */
export const isOld = (date: WireDate) => Date.parse(date) < Date.now() - HOUR

/**
 * Keeps what a block of a merchant's payments comes to, as far as they are there and known; one that has been kept before is
 * kept anew, further or with fewer that are listed.
 *
 * A row that is written is true for ever: ids have no gap, and a payment that can be seen is seen with all that came before it;
 * an outcome and an amount never change; and what has no outcome yet is listed. So any number of processes may write, and of two
 * rows of one block either will do. It is a transaction at READ COMMITTED, so that no outcome is kept that is then rolled back.
 */
export function keepBlock(database: Database): (merchantId: string, block: number) => Promise<void> {
  const { builder, write, dialect, counting } = database
  const size = counting.blockSize
  const find = runsQuery(database)
  const put = prepare((row: Row) => {
    const { merchant_id, first_id } = row
    const { last_id, first_date, last_date, unresolved, totals, takings } = row
    const kept = { last_id, first_date, last_date, unresolved, totals, takings }
    const query = builder.insertInto('payment_sums').values({ merchant_id, first_id, ...kept })
    return dialect.name === 'mysql'
      ? query.onDuplicateKeyUpdate(kept)
      : query.onConflict(conflict => conflict.columns(['merchant_id', 'first_id']).doUpdateSet(kept))
  })

  return async (merchantId, block) => {
    const first = block * size + 1
    await write(
      async session => {
        const rows = await session.all(find([{ merchantId, first, last: first + size - 1 }]))
        const payments = paymentsIn(rows).sort((a, b) => a.id - b.id)
        const young = payments.findIndex(({ status, date }) => status === 'pending' && !isOld(date))
        const settled = young < 0 ? payments : payments.slice(0, young)
        const [oldest, newest] = [settled[0], settled.at(-1)]
        const unresolved = settled.filter(({ status }) => status === 'pending').map(({ id }) => id)
        if (!oldest || !newest || unresolved.length > MOST_UNRESOLVED) return
        const sums = new PeriodSums()
        for (const payment of settled) {
          if (payment.status !== 'pending') sums.add(payment, payment.status)
        }
        await session.change(
          put({
            merchant_id: merchantId,
            first_id: first,
            last_id: newest.id,
            first_date: dialect.time(oldest.date),
            last_date: dialect.time(newest.date),
            unresolved: unresolved.join(','),
            totals: JSON.stringify(sums.kept()),
            takings: JSON.stringify(keptTakings(settled)),
          }),
        )
      },
      { repeatable: true },
    )
  }
}
