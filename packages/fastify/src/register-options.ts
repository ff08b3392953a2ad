import { TillError } from '@tillkit/http'

const KNOWN = ['prefix', 'logLevel', 'logSerializers']

/** Throws `TillError` `invalid_input` for an option that `register` does not know: a mistyped prefix would mount at the root. */
export function checkRegisterOptions(options: object): void {
  const unknown = Object.keys(options).find(name => !KNOWN.includes(name))
  if (unknown === undefined) return
  throw new TillError('invalid_input', `${unknown} is not a known name of the options of register`)
}
