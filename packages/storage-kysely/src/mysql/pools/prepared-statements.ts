import { hexOf } from '../../dialects/hex-text.ts'
import type { MysqlClient, Statement } from './mysql-pool.ts'

/** How the rows of a statement are read. */
export type RowForm = Pick<Statement, 'rowsAsArray'>

/** How many a connection keeps: a server has 16,382 for all of its connections unless it is told otherwise. */
const MOST = 100

/** ER_UNSUPPORTED_PS, and ER_MAX_PREPARED_STMT_COUNT_REACHED: others may have used them up. */
const CANNOT_BE_PREPARED = new Set([1295, 1461])

/**
 * Statements of one connection, values apart from their text: the server is sent the text once and then the values
 * alone, so that no value is ever read as SQL. Those not used for the longest are forgotten. Where the server prepares no
 * more, or none is wanted, the values are written in hexadecimal.
 */
export class PreparedStatements {
  readonly #client: MysqlClient
  /** The form of their rows by their texts: mysql2 keeps one of each form. */
  readonly #texts = new Map<string, RowForm>()
  #none = false

  constructor(client: MysqlClient) {
    this.#client = client
  }

  /** Nothing is prepared from now on. */
  prepareNone(): void {
    this.#none = true
  }

  async send(sql: string, values: readonly unknown[], form: RowForm): Promise<unknown> {
    if (values.length === 0 || this.#none) return this.#sendAsText(sql, values, form)
    this.#use(sql, form)
    try {
      return await this.#send('execute', { sql, values: [...values], ...form })
    } catch (error) {
      this.#texts.delete(sql)
      if (!CANNOT_BE_PREPARED.has(Number((error as { errno?: unknown }).errno))) throw error
      return await this.#sendAsText(sql, values, form)
    }
  }

  #sendAsText(sql: string, values: readonly unknown[], form: RowForm): Promise<unknown> {
    return this.#send('query', { sql, values: values.map(hexOf), ...form })
  }

  #send(how: 'query' | 'execute', statement: Statement): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#client[how](this.#read(statement), (error, result) => (error ? reject(error) : resolve(result)))
    })
  }

  /** A host's own reading of columns is for its own queries. */
  #read(statement: Statement): Statement {
    return this.#client.config?.typeCast === true ? statement : { ...statement, typeCast: asItIs }
  }

  #use(sql: string, form: RowForm): void {
    this.#texts.delete(sql)
    this.#texts.set(sql, form)
    if (this.#texts.size <= MOST) return
    const [[oldest, itsForm] = ['', {}]] = this.#texts
    this.#texts.delete(oldest)
    // It knows a statement by its form as well, which its types do not say.
    this.#client.unprepare({ sql: oldest, ...itsForm } as unknown as string)
  }
}

const asItIs = (_: unknown, next: () => unknown) => next()
