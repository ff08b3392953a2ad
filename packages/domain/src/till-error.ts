/** What went wrong, for a program to act on. */
export type TillErrorCode = 'invalid_input' | 'not_found' | 'conflict' | 'not_ready'

/**
 * The one error that callers are meant to handle. `message` is fit to show to whoever made the call.
 *
 * - `invalid_input`: an argument or option is wrong; the message names it.
 * - `not_found`: an unknown merchant, scan code, payment or cash up.
 * - `conflict`: a taken id or code, another outcome, settling what is not completed or settled elsewhere, starting a payment
 *   on what is suspended.
 * - `not_ready`: a cash up period still holds a pending payment (API 4.5).
 */
export class TillError extends Error {
  /** Always `TillError`. */
  override readonly name = 'TillError'
  /** What went wrong, for a program to act on. */
  readonly code: TillErrorCode

  constructor(code: TillErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
