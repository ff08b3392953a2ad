import type { HttpsOption } from '@tillkit/http'

/** What a customer has to do elsewhere before a payment can end. Every address is https. */
export type CustomerStep =
  | {
      /** The customer opens a page elsewhere: of the bank, of a wallet. */
      status: 'redirect'
      /** Its absolute address. */
      url: string
    }
  | {
      /** The customer's browser posts a form elsewhere, by a button: to a bank's access control server, to a wallet. */
      status: 'action'
      /** The absolute address that it is posted to, as `application/x-www-form-urlencoded`. */
      url: string
      /** What is posted: up to 64 names and values, 32 KiB in all. */
      fields: Readonly<Record<string, string>>
    }

const MAX_URL_LENGTH = 8 * 1024
const MAX_FIELDS = 64
const MAX_FIELDS_LENGTH = 32 * 1024
const LOOPBACK = /^(?:localhost|(?:[a-z0-9-]+\.)+localhost|127(?:\.\d+){3}|\[::1\])$/

/**
 * Reads where a processor sends its customer. Throws a `TypeError` for what no customer may be sent to.
 *
 * @param https `off` takes plain http too, on this machine: for local work.
 */
export function readStep(
  status: CustomerStep['status'],
  { url: given, fields }: { url: unknown; fields: unknown },
  https: HttpsOption,
): CustomerStep {
  const url = readUrl(given, https)
  return status === 'redirect' ? { status, url } : { status, url, fields: readFields(fields) }
}

function readUrl(given: unknown, https: HttpsOption): string {
  const text = given instanceof URL ? given.href : given
  if (typeof text !== 'string' || text.length > MAX_URL_LENGTH || !URL.canParse(text)) {
    throw new TypeError('the url of a step must be an absolute address of at most 8192 characters')
  }
  const { protocol, hostname, username, password, href } = new URL(text)
  const local = https === 'off' && protocol === 'http:' && LOOPBACK.test(hostname)
  if (protocol !== 'https:' && !local) throw new TypeError('the url of a step must be an https address')
  if (username !== '' || password !== '') throw new TypeError('the url of a step must have no user in it')
  return href
}

function readFields(given: unknown): Record<string, string> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError('the fields of an action must be an object of names and values')
  }
  const fields = Object.entries(given)
  const length = fields.reduce((sum, [name, value]) => sum + name.length + String(value).length, 0)
  if (!fields.every(([name, value]) => name !== '' && typeof value === 'string')) {
    throw new TypeError('the fields of an action must be texts')
  }
  if (fields.length > MAX_FIELDS || length > MAX_FIELDS_LENGTH) {
    throw new TypeError('the fields of an action must be at most 64, of 32 KiB in all')
  }
  return Object.fromEntries(fields)
}
