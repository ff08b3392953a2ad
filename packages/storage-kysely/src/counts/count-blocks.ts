import type { PaymentStatus } from '@tillkit/domain'
import type { Insertable } from 'kysely'
import { passing } from '../payments/listing/passing.ts'
import { unforeseen } from '../schema/planner/unforeseen.ts'
import type { Tables } from '../schema/tables.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/statements/prepared.ts'
import { type CountedBlock, NOTHING_COUNTED, toCountedBlock } from './counted-block.ts'
import { listedPayments } from './listed-payments.ts'

/** How many blocks one step counts: what it reads is found in milliseconds even where all of them failed. */
const BLOCKS = 16

/** How many pending payments a row names at most: each is looked at for itself whenever the row is used. */
const MOST_UNRESOLVED = 200

/** And how many of them for each full block that comes after: those that are pending for a moment only are waited for. */
const UNRESOLVED_A_BLOCK = 8

/** A payment that is not completed. */
interface Unlike {
  id: number
  status: PaymentStatus
}

/**
 * One step of counting outcomes ahead: the full blocks that come after those that are counted, a few at a time. Returns
 * whether there may be more.
 *
 * A row that is written is true for ever. Ids have no gap, and a payment that can be seen is seen with all that came before
 * it; an outcome never changes; and what had none yet is named. So any number of processes may write, and of two rows of
 * one block either will do. It is a transaction at READ COMMITTED, so that no outcome is counted that is then rolled back.
 */
export function countBlocks(database: Database): (merchantId: string) => Promise<boolean> {
  const { builder, write, dialect, counting } = database
  const size = counting.blockSize
  const findNewest = prepare((p: { merchantId: string }) =>
    builder
      .selectFrom('payment_blocks')
      .select(['up_to', 'errors', 'unresolved'])
      .where('merchant_id', '=', p.merchantId)
      .orderBy('up_to', 'desc')
      .limit(1),
  )
  const findLast = prepare((p: { merchantId: string }) =>
    builder.selectFrom('ledgers').select('last_payment_id as id').where('merchant_id', '=', p.merchantId),
  )
  const findUnlike = prepare((p: { merchantId: string; first: number; last: number }) => {
    const ends = { first: unforeseen(dialect, p.first), last: unforeseen(dialect, p.last) }
    const those = (status: PaymentStatus) =>
      passing(dialect, builder.selectFrom('payments'), { status: [status] }, p, ends).select(['id', 'status'])
    return those('error').unionAll(those('pending'))
  })

  const findNamed = prepare((p: { merchantId: string; ids: string }) =>
    builder
      .selectFrom(listedPayments(database, p.merchantId, p.ids).as('named'))
      .select(['named.id', 'named.status'])
      .where('named.status', '<>', 'completed'),
  )

  function insert(rows: Insertable<Tables['payment_blocks']>[]) {
    const query = builder.insertInto('payment_blocks').values(rows)
    return dialect.name === 'mysql' ? query.ignore() : query.onConflict(conflict => conflict.doNothing())
  }

  return merchantId =>
    write(
      async session => {
        const row = await session.first(findNewest({ merchantId }))
        const newest = row ? toCountedBlock(row) : NOTHING_COUNTED
        const last = Number((await session.first(findLast({ merchantId })))?.id ?? 0)
        const full = Math.floor((last - newest.upTo) / size)
        const step = Math.min(full, BLOCKS)
        if (step <= 0) return false
        const ids = newest.unresolved.join(',')
        const since = ids === '' ? [] : (await session.all(findNamed({ merchantId, ids }))).map(toUnlike)
        const run = { merchantId, first: newest.upTo + 1, last: newest.upTo + step * size }
        since.push(...(await session.all(findUnlike(run))).map(toUnlike))

        const blocks = blocksAfter(newest, since, step, size).filter(({ upTo, unresolved }) => {
          const after = Math.floor((last - upTo) / size)
          return unresolved.length <= Math.min(UNRESOLVED_A_BLOCK * after, MOST_UNRESOLVED)
        })
        if (blocks.length === 0) return false
        await session.change(insert(blocks.map(block => toRow(merchantId, block))).compile())
        return blocks.length === step && full > step
      },
      { repeatable: true },
    )
}

/** The `count` blocks that follow, of `size` ids each. `unlike` are those of them that are not completed. */
function blocksAfter(newest: CountedBlock, unlike: Unlike[], count: number, size: number): CountedBlock[] {
  const inOrder = unlike.toSorted((a, b) => a.id - b.id)
  let { upTo, errors } = newest
  let unresolved: number[] = []
  let next = 0
  return Array.from({ length: count }, () => {
    upTo += size
    const begin = next
    while (next < inOrder.length && (inOrder[next]?.id ?? 0) <= upTo) next += 1
    const those = inOrder.slice(begin, next)
    const failed = those.filter(({ status }) => status === 'error').length
    errors += failed
    if (failed < those.length) {
      unresolved = [...unresolved, ...those.filter(({ status }) => status !== 'error').map(({ id }) => id)]
    }
    return { upTo, errors, unresolved }
  })
}

const toUnlike = (row: { id: number | string | bigint; status: PaymentStatus }): Unlike => ({
  id: Number(row.id),
  status: row.status,
})

function toRow(merchantId: string, { upTo, errors, unresolved }: CountedBlock) {
  return { merchant_id: merchantId, up_to: upTo, errors, unresolved: unresolved.join(',') }
}
