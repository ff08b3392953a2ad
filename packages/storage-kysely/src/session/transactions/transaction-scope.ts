import { AsyncLocalStorage } from 'node:async_hooks'
import { TillError } from '@tillkit/domain'

/** Knows which calls are made by the work of an open transaction, so that none of them waits for that to end. */
export class TransactionScope {
  // Made at the first transaction: a storage without one pays nothing.
  #scopes: AsyncLocalStorage<{ open: boolean }> | undefined

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#scopes ??= new AsyncLocalStorage()
    const scope = { open: true }
    try {
      return await this.#scopes.run(scope, work)
    } finally {
      scope.open = false
    }
  }

  /** Throws `TillError` inside, which says what to do instead. */
  assertOutside(
    instead = 'use the storage that its work is handed: this one waits until the transaction has ended',
  ): void {
    if (!this.#scopes?.getStore()?.open) return
    throw new TillError('invalid_input', `inside storage.transaction, ${instead}`)
  }
}
