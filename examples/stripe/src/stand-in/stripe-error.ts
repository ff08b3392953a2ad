/** An answer of Stripe's that is an error. */
export class StripeError extends Error {
  readonly status: number
  /** What stands below `error` in the answer. */
  readonly body: object

  constructor(
    status: number,
    body: { message: string; type?: string; code?: string; [more: string]: unknown },
  ) {
    super(body.message)
    this.status = status
    this.body = { type: status >= 500 ? 'api_error' : 'invalid_request_error', ...body }
  }
}
