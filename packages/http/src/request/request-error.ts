import { TillError } from '@tillkit/domain'

/**
 * A request that is refused for what it would cost: 408 too slow, 413 a body too large, 414 an address too long, 400 too
 * many parts. To a program it is bad input like all other; over HTTP it has its own status.
 */
export class RequestError extends TillError {
  /** The status of the answer. */
  readonly status: 400 | 408 | 413 | 414

  constructor(status: RequestError['status'], message: string) {
    super('invalid_input', message)
    this.status = status
  }
}
