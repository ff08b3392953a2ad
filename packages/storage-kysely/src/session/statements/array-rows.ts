import type { CompiledQuery, QueryResult } from 'kysely'
import type { Execute } from '../../connections/connections.ts'

/** What takes queries by way of Kysely. */
interface Taking {
  executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>
}

/** What makes the rows of a query arrays of its columns, in their order, and not objects of their names. */
export const AS_ARRAYS = { asArrays: true }

/** True where the query was prepared to have arrays for rows. */
export function wantsArrays(query: CompiledQuery): boolean {
  return 'asArrays' in query
}

/** Sends queries to a connection whose driver may know objects alone: each gets its rows as it wants them. */
export function executeOn(connection: Taking): Execute {
  return async query => asWanted(query, await connection.executeQuery(query))
}

/** The names of an object keep the order of the columns. */
function asWanted<Row>(query: CompiledQuery<Row>, result: QueryResult<Row>): QueryResult<Row> {
  if (!wantsArrays(query) || result.rows.length === 0 || Array.isArray(result.rows[0])) return result
  return { ...result, rows: result.rows.map(row => Object.values(row as object) as Row) }
}
