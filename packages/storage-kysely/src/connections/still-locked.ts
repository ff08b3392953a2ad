import { DatabaseError } from '@tillkit/storage'

/** The lock of the engine's one writer was not had in the time that there was for it: nothing was done. */
export class StillLocked extends DatabaseError {
  readonly #isOver: (since: number) => boolean

  constructor(message: string, isOver: (since: number) => boolean, options: ErrorOptions) {
    super(message, options)
    this.#isOver = isOver
  }

  /** Whether who has waited since then, by `performance.now()`, has waited for as long as anybody does. */
  isOver(since: number): boolean {
    return this.#isOver(since)
  }
}
