import { TillError } from '@tillkit/domain'
import { type HttpRequest, type HttpResponse, html, RequestError } from '@tillkit/http'
import { CommitUnknownError, DatabaseError } from '@tillkit/storage'
import type { Logger } from '@tillkit/till'
import { SameOnceMoreError } from './guard/same-once-more.ts'
import type { Messages } from './messages.ts'
import { sentence } from './show/form.ts'

/** The page for what went wrong: what somebody here can mend is said, the rest is logged under the request's id and masked. */
export function explain(
  error: unknown,
  { method, path }: HttpRequest,
  id: string,
  messages: Messages,
  logger: Pick<Logger, 'error'>,
): HttpResponse {
  if (error instanceof RequestError) {
    // The rest of what is late is not waited for.
    const headers = error.status === 408 ? { Connection: 'close' } : undefined
    return messages.say(path, error.status, 'That could not be read', sentence(error.message), headers)
  }
  if (error instanceof TillError && error.code === 'not_found') return messages.unknown(path)
  if (error instanceof TillError) {
    const status = error.code === 'invalid_input' ? 400 : 409
    return messages.say(path, status, 'That could not be shown', sentence(error.message))
  }
  const fields = { requestId: id, err: error, method, path: path.slice(0, 1024) }
  if (error instanceof DatabaseError) {
    logger.error(fields, 'request failed: the database')
    const more = html`${whatNow(error, method)} Number: ${id}`
    return messages.say(path, 503, 'Not available just now', more, { 'Retry-After': '2' })
  }
  logger.error(fields, 'request failed')
  return messages.say(path, 500, 'Something went wrong', `The log has it under this number: ${id}`)
}

/** Said so that nobody does twice what may have taken place, and nobody is kept from what has not. */
function whatNow(error: DatabaseError, method: string): string {
  if (error instanceof SameOnceMoreError) {
    return 'The database did not say whether it took place. Reload this page to send the form once more: it takes place once.'
  }
  if (error instanceof CommitUnknownError) {
    return 'The database did not say whether it took place. Look how things stand before it is done again: this form does nothing more.'
  }
  return method === 'POST'
    ? 'The database cannot be reached, and what was asked was not done to its end. Reload this page in a moment to send the form again.'
    : 'The database cannot be reached. Look again in a moment.'
}
