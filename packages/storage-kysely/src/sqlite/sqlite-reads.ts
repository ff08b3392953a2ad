import type { Connections, Execute } from '../connections/connections.ts'
import { SqliteDriver } from './sqlite-driver.ts'

/**
 * Reads by a connection of their own, opened at the first. Each is one statement, so that none waits for another, and goes
 * straight to it: by way of kysely a short one takes twice as long.
 */
export class SqliteReads implements Pick<Connections, 'hold'> {
  readonly #driver: SqliteDriver
  #execute: Execute | undefined

  constructor(file: string, lockWait: number) {
    this.#driver = new SqliteDriver(file, lockWait)
  }

  readonly hold: Connections['hold'] = (_, work) => (this.#execute ? work(this.#execute) : this.#opened(work))

  /** What could not be opened is tried again. */
  async #opened<Result>(work: (execute: Execute) => Promise<Result>): Promise<Result> {
    await this.#driver.init()
    const { connection } = this.#driver
    this.#execute = query => connection.executeQuery(query)
    return work(this.#execute)
  }

  close(): Promise<void> {
    return this.#driver.destroy()
  }
}
