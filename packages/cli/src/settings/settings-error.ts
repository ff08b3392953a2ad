/** Settings that are wrong: all of them, so that nobody mends one to learn of the next. */
export class SettingsError extends Error {
  /** A sentence for each, which names the flag, the variable or the name in the file. */
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('; '))
    this.mistakes = mistakes
  }
}
