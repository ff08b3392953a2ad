import type { Connections, Execute } from '../connections/connections.ts'
import { SqliteDriver } from './sqlite-driver.ts'

/**
 * Reads by a connection of their own, opened at the first. Each is one statement, so that none waits for another, and goes
 * straight to it: by way of kysely a short one takes twice as long.
 */
export class SqliteReads implements Pick<Connections, 'hold'> {
  readonly #driver: SqliteDriver
  #opening: Promise<Execute> | undefined
  #execute: Execute | undefined

  constructor(file: string, lockWait: number) {
    this.#driver = new SqliteDriver(file, lockWait)
  }

  readonly hold: Connections['hold'] = (_, work) => (this.#execute ? work(this.#execute) : this.#opened(work))

  async #opened<Result>(work: (execute: Execute) => Promise<Result>): Promise<Result> {
    this.#execute = await this.#open()
    return work(this.#execute)
  }

  async close(): Promise<void> {
    await this.#driver.destroy()
    await this.#opening?.catch(() => {})
  }

  /** What could not be opened is tried again. */
  #open(): Promise<Execute> {
    this.#opening ??= this.#connect().catch(error => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async #connect(): Promise<Execute> {
    await this.#driver.init()
    const connection = await this.#driver.acquireConnection()
    return query => connection.executeQuery(query)
  }
}
