import { setImmediate } from 'node:timers/promises'
import { exactSum, nonEmptyReference, parseDateTime, validate } from '@tillkit/domain'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { inLanes } from './batches/in-lanes.ts'
import { batchesOf } from './batches/rows.ts'
import type { Difference, ImportProgress, Settlements } from './calls.ts'
import { settleRows } from './settle-rows.ts'
import { Spans } from './spans.ts'
import { Tally } from './tally.ts'

const ROWS = 'must be an iterable or an async iterable of rows'
const SINCE = 'must be an ISO 8601 date-time with Z or an offset (+01:00), such as 2026-11-20T09:30:00Z'
const FUNCTION = 'must be a function'
const hasRows = (value: unknown) =>
  typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value)
const isFunction = (value: unknown) => typeof value === 'function'

const statementImport = z.strictObject({
  statementReference: nonEmptyReference,
  rows: z.custom<Iterable<unknown> | AsyncIterable<unknown>>(hasRows, ROWS),
  dryRun: z.boolean().default(false),
  since: z
    .custom<string>(value => typeof value === 'string' && parseDateTime(value) !== null, SINCE)
    .optional(),
  onProgress: z.custom<(progress: ImportProgress) => unknown>(isFunction, FUNCTION).optional(),
  onDifference: z.custom<(difference: Difference) => unknown>(isFunction, FUNCTION).optional(),
  signal: z.custom<AbortSignal>(value => value instanceof AbortSignal, 'must be an AbortSignal').optional(),
})

export function importStatement({ storage, clock }: Context): Settlements['import'] {
  return async input => {
    const { statementReference, rows, dryRun, since, signal, ...hears } = validate(
      statementImport,
      input,
      'an import',
    )
    const tally = new Tally(hears)
    const spans = new Spans()
    const from = since === undefined ? null : parseDateTime(since)
    const settle = settleRows(storage, { statementReference, dryRun, since: from, tally, spans })

    // What an earlier version of the storage has settled is counted with the first that this one settles, or by this.
    const count = (merchantId: string) => storage.settlements.settle(merchantId, statementReference, [])

    signal?.throwIfAborted()
    if (!dryRun) await storage.settlements.begin(statementReference, clock.given())
    for await (const batch of batchesOf(rows, signal)) {
      await inLanes(batch, settle)
      await tally.tell(signal)
      // Rows of nobody ask the storage for nothing: what else this process does, and who ends this, has its turn all the same.
      await setImmediate()
      signal?.throwIfAborted()
    }
    if (!dryRun) await inLanes(spans.settledBefore(), count)
    const left = await spans.leftOut(storage, signal)
    if (!dryRun) await storage.settlements.finish(statementReference, tally.end(), clock.given())
    // Last: it may be more than a number holds, and everything is settled by now.
    const amount = exactSum(left.amount)
    return { ...tally.counts(), left: { ...left, amount } }
  }
}
