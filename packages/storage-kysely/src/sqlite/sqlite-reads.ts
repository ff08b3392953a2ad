import { setImmediate } from 'node:timers'
import type { Connections, Execute } from '../connections/connections.ts'
import { SqliteDriver } from './sqlite-driver.ts'

/** The reads of one turn of the event loop that wait for its end. */
interface Others {
  count: number
  end: PromiseWithResolvers<void>
}

/**
 * Reads by a connection of their own, opened at the first. Each is one statement, so that none waits for another, and goes
 * straight to it: by way of kysely a short one takes twice as long. Of those that calls begin with the first in a turn of the event loop is
 * read at once; what is asked for after it in the same turn is read together at its end, in one transaction.
 */
export class SqliteReads implements Pick<Connections, 'hold' | 'holdTogether'> {
  readonly #driver: SqliteDriver
  #execute: Execute | undefined
  #isFirst = true
  #others: Others | undefined

  constructor(file: string, lockWait: number) {
    this.#driver = new SqliteDriver(file, lockWait)
  }

  readonly hold: Connections['hold'] = (_, work) => (this.#execute ? work(this.#execute) : this.#opened(work))

  readonly holdTogether: Connections['hold'] = (_, work) => {
    const execute = this.#execute
    if (!execute) return this.#opened(work)
    if (!this.#isFirst) return this.#endOfTurn().then(() => work(execute))
    this.#isFirst = false
    setImmediate(this.#readOthers)
    return work(execute)
  }

  /** What could not be opened is tried again. */
  async #opened<Result>(work: (execute: Execute) => Promise<Result>): Promise<Result> {
    await this.#driver.init()
    const { connection } = this.#driver
    this.#execute = query => connection.executeQuery(query)
    return work(this.#execute)
  }

  #endOfTurn(): Promise<void> {
    this.#others ??= { count: 0, end: Promise.withResolvers() }
    this.#others.count += 1
    return this.#others.end.promise
  }

  readonly #readOthers = () => {
    const others = this.#others
    this.#isFirst = true
    this.#others = undefined
    if (!others) return
    if (others.count === 1) others.end.resolve()
    else this.#driver.connection.readTogether(others.end.resolve)
  }

  close(): Promise<void> {
    return this.#driver.destroy()
  }
}
