import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialects/index.ts'
import { runAgain } from '../../session/transactions/run-again.ts'

/** Does work that may be done twice again where the database cannot be reached for a moment; a transaction of the host's is over then. */
export const againOn =
  (db: Kysely<unknown>, dialect: Dialect) =>
  <Result>(work: () => Promise<Result>): Promise<Result> =>
    db.isTransaction ? work() : runAgain(dialect, true, work)
