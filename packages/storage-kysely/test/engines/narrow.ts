import type { TimeLimits } from '../../src/connections/limits/time-limits.ts'
import type { DatabaseStorage } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { type Address, PATIENT } from './address.ts'
import { countedMysqlPool } from './counted-mysql-pool.ts'
import { countedPool } from './counted-pool.ts'

/** A storage of few connections, of a pool that sets no limits. */
export interface Narrow {
  over: DatabaseStorage
  /** The statements that were sent. */
  texts: string[]
  /** How many transactions they were, of writes that are one statement on PostgreSQL. */
  transactions(): number
  close(): Promise<void>
}

/** One connection, unless it is to be more. */
export function narrowAt(address: Address, limits: TimeLimits = PATIENT, connections = 1): Narrow {
  if (address.dialect === 'postgres') {
    const { pool, texts } = countedPool({ connectionString: address.connectionString, max: connections })
    const over = postgresStorage({ pool, ...limits }, { schema: address.schema })
    return { over, texts, transactions: () => texts.length, close: () => pool.end() }
  }
  if (address.dialect === 'sqlite') throw new Error('SQLite has no pool')
  const { pool, texts } = countedMysqlPool({ uri: address.uri, connectionLimit: connections })
  const transactions = () => texts.filter(text => text === 'commit').length
  return { over: mysqlStorage({ pool, ...limits }), texts, transactions, close: () => pool.promise().end() }
}
