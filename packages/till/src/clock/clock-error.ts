import { TillError } from '@tillkit/domain'

/**
 * A clock of the host's that says no time. To a program it is bad input like all other, the option `clock`; whoever asked over
 * HTTP gave none of it and cannot mend it.
 */
export class ClockError extends TillError {
  constructor() {
    super('invalid_input', 'clock must return a valid Date of the years 0 to 9999')
  }
}
