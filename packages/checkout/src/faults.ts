import { TillError } from '@tillkit/domain'
import { type HttpRequest, type HttpResponse, RequestError } from '@tillkit/http'
import { DatabaseError } from '@tillkit/storage'
import { ClockError, type Logger } from '@tillkit/till'
import type { Messages } from './messages.ts'
import { Closed } from './payment/closed.ts'
import { LinkError } from './payment/link/link-error.ts'
import { withQuery } from './relative.ts'

/** What went wrong with a press, its `cause`, where it is certain that the press charged nothing. */
export class UnpaidError extends Error {
  constructor(cause: unknown) {
    super('the press charged nothing', { cause })
  }
}

/** The page for what went wrong: what is the customer's to mend is said, the rest is logged under the request's id and masked. */
export type Fault = (error: unknown, request: HttpRequest, id: string) => HttpResponse

export function faults(say: Messages, logger: Pick<Logger, 'error'>): Fault {
  return (thrown, { method, path, query }, id) => {
    const unpaid = thrown instanceof UnpaidError
    const error = unpaid ? thrown.cause : thrown
    const again = withQuery(path.slice(path.lastIndexOf('/') + 1), query)
    if (error instanceof LinkError) return say.wrongLink(error.fault)
    if (error instanceof RequestError) return say.wrongForm(error.status, again)
    // The host's clock is nothing that the customer has sent.
    const refused = error instanceof TillError && !(error instanceof ClockError) ? error.code : null
    if (refused === 'invalid_input') return say.wrongForm(400, again)
    // It was suspended between the scan and the press.
    if (refused === 'conflict') return say.suspended()
    // A code that was taken away between the scan and the press.
    if (refused === 'not_found') return say.unknown()
    if (error instanceof Closed) return say.unavailable({ id, again, unpaid })
    if (error instanceof DatabaseError) {
      logger.error({ requestId: id, err: error, method, path }, 'request failed: the database')
      return say.unavailable({ id, again, unpaid })
    }
    logger.error({ requestId: id, err: error, method, path }, 'request failed')
    return say.fault(id)
  }
}
