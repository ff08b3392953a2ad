/**
 * What is wrong with a payment URL, its parameters or the image asked for. Always the caller's to mend, so `message` is fit
 * to show to an HTTP client (API 7.1).
 */
export class QrError extends Error {
  /** Always `QrError`. */
  override readonly name = 'QrError'
  /** Always `invalid_input`, as of a `TillError`. */
  readonly code = 'invalid_input'

  /**
   * The parameter at fault, `size` for example. `message` is this, or the word that a vocabulary has for it, a space, and
   * `problem`.
   */
  readonly parameter: string

  /** What is wrong with it, for whoever knows the parameter under another name: `scan_code_size ${error.problem}`. */
  readonly problem: string

  /** Where a PNG was too small for its URL: the smallest size in pixels that works. */
  readonly smallestSize: number | undefined

  constructor(parameter: string, problem: string, details: { smallestSize?: number; word?: string } = {}) {
    super(`${details.word ?? parameter} ${problem}`)
    this.parameter = parameter
    this.problem = problem
    this.smallestSize = details.smallestSize
  }
}
