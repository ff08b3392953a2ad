import type { DatabaseConnection } from 'kysely'
import type { Connections } from '../connections/connections.ts'
import { SqliteDriver } from './sqlite-driver.ts'

/**
 * Reads by a connection of their own, opened at the first. Each is one statement, so that none waits for another, and goes
 * straight to it: by way of kysely a short one takes twice as long.
 */
export class SqliteReads implements Pick<Connections, 'hold'> {
  readonly #driver: SqliteDriver
  #opening: Promise<DatabaseConnection> | undefined
  #connection: DatabaseConnection | undefined
  #closed = false

  constructor(file: string, lockWait: number) {
    this.#driver = new SqliteDriver(file, lockWait)
  }

  readonly hold: Connections['hold'] = async (_, work) => {
    const connection = this.#connection ?? (await this.#open())
    if (this.#closed) throw new Error('driver has already been destroyed')
    return work(query => connection.executeQuery(query))
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#opening?.catch(() => {})
    await this.#driver.destroy()
  }

  /** What could not be opened is tried again. */
  #open(): Promise<DatabaseConnection> {
    if (this.#closed) throw new Error('driver has already been destroyed')
    this.#opening ??= this.#connect().catch(error => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async #connect(): Promise<DatabaseConnection> {
    await this.#driver.init()
    this.#connection = await this.#driver.acquireConnection()
    return this.#connection
  }
}
