import { type AliasedExpression, sql } from 'kysely'
import { INDEXES } from './names.ts'
import type { Tables } from './tables.ts'

/** The payments, of which MariaDB and MySQL are to look at no index but this one. */
export function along(index: keyof typeof INDEXES): AliasedExpression<Tables['payments'], 'payments'> {
  const expression = sql<
    Tables['payments']
  >`${sql.table('payments')} force index (${sql.table(INDEXES[index])})`
  // The hint stands where an alias would have to stand before it: the table goes by its own name.
  return Object.assign(expression.as('payments'), { toOperationNode: () => expression.toOperationNode() })
}
