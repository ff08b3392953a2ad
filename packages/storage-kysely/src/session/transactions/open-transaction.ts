import { DatabaseError } from '@tillkit/storage'
import type { DatabaseConnection } from 'kysely'
import type { Execute } from '../../connections/connections.ts'
import { NotCommitted } from '../../connections/left-open.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { TRANSACTION_ENDED, TRANSACTION_UNDONE } from '../../dialects/meaning.ts'
import { executeOn } from '../statements/array-rows.ts'

const BEGINS = /^\s*(begin|start\s+transaction)\b/i

/** Going back to a savepoint ends nothing. */
const ENDS = /^\s*(commit|rollback)\b(?!.*\bto\b)/i

/**
 * A host's transaction on its connection, from Tillkit's first call in it to its end. Kysely sends a commit or a rollback past
 * those who have the connection or wait for it, as soon as the host's work has ended, with or without all that it called. Here it
 * waits for the call under way, some of whose statements would come after it, and calls that have not begun are refused.
 */
export class OpenTransaction {
  static readonly #known = new WeakMap<DatabaseConnection, OpenTransaction>()

  static on(connection: DatabaseConnection, dialect: Dialect): OpenTransaction {
    const known = OpenTransaction.#known.get(connection) ?? new OpenTransaction(connection, dialect)
    OpenTransaction.#known.set(connection, known)
    return known
  }

  readonly #dialect: Dialect
  readonly #execute: Execute
  readonly #forget: () => void
  #underWay: Promise<void> | undefined
  #hasEnded = false
  /** Whether it may have ended unseen: before the first call, or by an error with which the engine undid it. */
  #isInDoubt = true
  /** The last of its errors with which the engine may have undone all of it, because of another transaction. */
  #conflict: unknown

  private constructor(connection: DatabaseConnection, dialect: Dialect) {
    const send = connection.executeQuery
    const sendInTurn: typeof send = async (query, ...options) => {
      // Where an error has undone it by itself, a driver may leave out the rollback.
      if (BEGINS.test(query.sql)) {
        this.#forget()
        return send.call(connection, query, ...options) as never
      }
      const ends = ENDS.exec(query.sql)?.[1]?.toLowerCase()
      if (ends) this.refuseMore()
      while (this.#underWay) await this.#underWay
      if (ends === 'commit') await this.#assertNotUndone()
      const sent = this.#noting(send.call(connection, query, ...options))
      // Until then all that is called is refused; after a commit that fails comes a rollback.
      if (ends) sent.then(this.#forget, ends === 'rollback' ? this.#forget : () => {})
      return sent as never
    }
    connection.executeQuery = sendInTurn
    this.#dialect = dialect
    this.#execute = executeOn({ executeQuery: query => this.#noting(send.call(connection, query)) as never })
    this.#forget = () => {
      OpenTransaction.#known.delete(connection)
      if (connection.executeQuery === sendInTurn) connection.executeQuery = send
    }
  }

  /** Does what is all in the transaction, or throws `DatabaseError` before anything is done. */
  async during<Result>(work: (execute: Execute) => Promise<Result>): Promise<Result> {
    this.assertOpen()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#underWay = promise
    try {
      await this.#makeSure()
      return await work(this.#execute)
    } finally {
      this.#underWay = undefined
      resolve()
    }
  }

  /** Refuses what has not begun once its work is done: its end, which waits its turn, comes after what is waiting. */
  refuseMore(): void {
    this.#hasEnded = true
  }

  /** Throws `DatabaseError` once it has ended. */
  assertOpen(): void {
    if (this.#hasEnded) throw new DatabaseError(TRANSACTION_ENDED)
  }

  async #makeSure(): Promise<void> {
    if (!this.#isInDoubt) return
    if ((await this.#dialect.isInTransaction?.(this.#execute)) === false) {
      this.refuseMore()
      this.#forget()
    }
    this.assertOpen()
    this.#isInDoubt = false
  }

  /** Of a host's work that swallowed an error, whose commit would be one of nothing. */
  async #assertNotUndone(): Promise<void> {
    const cause = this.#conflict
    if (cause === undefined || !(await this.#dialect.wasUndone?.(this.#execute))) return
    throw new NotCommitted(TRANSACTION_UNDONE, { cause })
  }

  async #noting<Result>(sent: Promise<Result>): Promise<Result> {
    try {
      return await sent
    } catch (error) {
      this.#isInDoubt = true
      if (this.#dialect.isTransient(error)) this.#conflict = error
      throw error
    }
  }
}
