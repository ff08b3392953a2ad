import { type AliasedExpression, type QueryCreator, type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'
import type { Database } from '../../session/database.ts'
import { INDEXES } from '../names.ts'
import type { Tables } from '../tables.ts'

type Named<Name extends keyof Tables> = AliasedExpression<Tables[Name], Name>
type Payments = Named<'payments'>

/** The payments, of which MariaDB and MySQL are to look at no index but this one. */
export const along = (index: 'dates' | 'pending' | 'statuses'): Payments => hinted('payments', forced(index))

/**
 * A query of the payments in the order of their ids, on each engine. MySQL takes any index of a merchant's for as good as the key, and
 * sorts what it finds.
 */
export const inOrder = (
  creator: Pick<QueryCreator<Tables>, 'selectFrom'>,
  { name }: Pick<Dialect, 'name'>,
) =>
  name === 'mysql'
    ? creator.selectFrom(hinted('payments', sql`force index (primary)`))
    : creator.selectFrom('payments')

/** The deliveries, of which they are to look at no index but that of what is due. */
export const alongDue = (): Named<'deliveries'> => hinted('deliveries', forced('due'))

/**
 * The deliveries, of which they are to look at an index of states: along the key they would walk what was delivered in years. In a host's
 * transaction not along what is due: at REPEATABLE READ, MariaDB's default, it would lock what lies between, where all merchants' new ones go.
 */
export const alongStates = ({ ofHost }: Pick<Database, 'ofHost'>): Named<'deliveries'> =>
  hinted('deliveries', ofHost ? forced('states') : forced('states', 'due'))

/**
 * The payments, which MariaDB and MySQL are not to take from the key because it has them in order: for a page they would go along it,
 * however few pass. Indexes of a merchant's have them in order as well.
 */
export const notForOrder = (): Payments => hinted('payments', sql`ignore index for order by (primary)`)

/** Behind the name or the alias of a table: no other index, and not the table itself. To leave an index out does not say that. */
export function forced(...indexes: (keyof typeof INDEXES)[]): RawBuilder<unknown> {
  return sql`force index (${sql.join(indexes.map(index => sql.table(INDEXES[index])))})`
}

function hinted<Name extends keyof Tables>(name: Name, hint: RawBuilder<unknown>): Named<Name> {
  const expression = sql<Tables[Name]>`${sql.table(name)} ${hint}`
  // The hint stands where an alias would have to stand before it: the table goes by its own name.
  return Object.assign(expression.as(name), { toOperationNode: () => expression.toOperationNode() })
}
