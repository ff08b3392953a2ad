import { type AliasedExpression, type RawBuilder, sql } from 'kysely'
import { INDEXES } from './names.ts'
import type { Tables } from './tables.ts'

type Payments = AliasedExpression<Tables['payments'], 'payments'>

/** The payments, of which MariaDB and MySQL are to look at no index but this one. */
export const along = (index: keyof typeof INDEXES): Payments => hinted(forced(index))

/**
 * The payments, which MariaDB and MySQL are not to take from the key because it has them in order: for a page they would go along it,
 * however few pass. Indexes of a merchant's have them in order as well.
 */
export const notForOrder = (): Payments => hinted(sql`ignore index for order by (primary)`)

/** Behind the name or the alias of a table: no other index, and not the table itself. To leave an index out does not say that. */
export function forced(index: keyof typeof INDEXES): RawBuilder<unknown> {
  return sql`force index (${sql.table(INDEXES[index])})`
}

function hinted(hint: RawBuilder<unknown>): Payments {
  const expression = sql<Tables['payments']>`${sql.table('payments')} ${hint}`
  // The hint stands where an alias would have to stand before it: the table goes by its own name.
  return Object.assign(expression.as('payments'), { toOperationNode: () => expression.toOperationNode() })
}
