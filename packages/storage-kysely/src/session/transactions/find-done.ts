import type { CompiledQuery } from 'kysely'
import type { Database, WriteOptions } from '../database.ts'

/**
 * Reads a row that somebody else, or a try whose answer was lost, has written, before it is answered for: with a query that locks it. A
 * commit of PostgreSQL's that has written nothing waits for no synchronous standby, as one that has locked a row does; so what is
 * found done is on the standby too. A reader's lock is enough, and keeps nobody waiting who deletes no row.
 */
export function findDone<Row>(
  { write }: Pick<Database, 'write'>,
  query: CompiledQuery<Row>,
  options: Pick<WriteOptions, 'merchantId' | 'since'>,
): Promise<Row | undefined> {
  return write(session => session.first(query), {
    statement: true,
    repeatable: true,
    locks: 'rows',
    ...options,
  })
}
