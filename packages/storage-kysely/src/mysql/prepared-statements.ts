import { hexOf } from '../dialects/hex-text.ts'
import type { MysqlClient, Statement } from './mysql-pool.ts'

/** How many a connection keeps: a server has 16,382 for all of its connections unless it is told otherwise. */
const MOST = 100

/** ER_UNSUPPORTED_PS, and ER_MAX_PREPARED_STMT_COUNT_REACHED: others may have used them up. */
const CANNOT_BE_PREPARED = new Set([1295, 1461])

/**
 * Statements of one connection, values apart from their text: the server is sent the text once and then the values
 * alone, so that no value is ever read as SQL. Those not used for the longest are forgotten. Where the server prepares no
 * more, the values are written in hexadecimal.
 */
export class PreparedStatements {
  readonly #client: MysqlClient
  readonly #texts = new Set<string>()

  constructor(client: MysqlClient) {
    this.#client = client
  }

  async send(sql: string, values: readonly unknown[]): Promise<unknown> {
    if (values.length === 0) return this.#ask(sql, [])
    this.#use(sql)
    try {
      return await this.#execute(sql, [...values])
    } catch (error) {
      this.#texts.delete(sql)
      if (!CANNOT_BE_PREPARED.has(Number((error as { errno?: unknown }).errno))) throw error
      return await this.#ask(sql, values.map(hexOf))
    }
  }

  #ask(sql: string, values: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#client.query(sql, values, (error, result) => (error ? reject(error) : resolve(result)))
    })
  }

  #execute(sql: string, values: unknown[]): Promise<unknown> {
    // A host's own reading of columns is for its own queries.
    const plain = this.#client.config?.typeCast === true
    const statement: Statement = plain ? { sql, values } : { sql, values, typeCast: asItIs }
    return new Promise((resolve, reject) => {
      this.#client.execute(statement, (error, result) => (error ? reject(error) : resolve(result)))
    })
  }

  #use(sql: string): void {
    this.#texts.delete(sql)
    this.#texts.add(sql)
    if (this.#texts.size <= MOST) return
    const [oldest = ''] = this.#texts
    this.#texts.delete(oldest)
    this.#client.unprepare(oldest)
  }
}

const asItIs = (_: unknown, next: () => unknown) => next()
