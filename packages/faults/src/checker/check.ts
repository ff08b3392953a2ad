import type { Books } from './books.ts'
import type { Rule } from './rule.ts'
import { charges } from './rules/bank/charges.ts'
import { attempts } from './rules/payments/attempts.ts'
import { dates } from './rules/payments/dates.ts'
import { ids } from './rules/payments/ids.ts'
import { outcomes } from './rules/payments/outcomes.ts'
import { pending } from './rules/payments/pending.ts'
import { settlements } from './rules/payments/settlements.ts'
import { starts } from './rules/payments/starts.ts'
import { strict } from './rules/payments/strict.ts'
import { cashUps } from './rules/periods/cash-ups.ts'
import { periods } from './rules/periods/periods.ts'
import { totals } from './rules/periods/totals.ts'
import { errors } from './rules/run/errors.ts'
import { heap } from './rules/run/heap.ts'
import { processes } from './rules/run/processes.ts'
import { arrivals } from './rules/webhooks/arrivals.ts'
import { deliveries } from './rules/webhooks/deliveries.ts'
import { results } from './rules/webhooks/results.ts'

/** Every rule, by the name that a violation begins with. */
export const RULES = {
  ids,
  dates,
  starts,
  attempts,
  outcomes,
  settlements,
  cashUps,
  periods,
  totals,
  strict,
  deliveries,
  arrivals,
  results,
  charges,
  pending,
  errors,
  processes,
  heap,
} satisfies Record<string, Rule>

/** Holds everything that was acknowledged against the books, and the books against each other. */
export function check(books: Books): string[] {
  return Object.entries(RULES).flatMap(([name, rule]) =>
    [...rule(books)].map(violation => `${name}: ${violation}`),
  )
}

/** How many rows and entries were looked at. */
export function sizeOf({ payments, cashUps, deliveries, journal }: Books): number {
  return payments.length + cashUps.length + deliveries.length + journal.length
}
