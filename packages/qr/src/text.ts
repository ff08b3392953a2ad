import { QrError } from './qr-error.ts'

/** Half a surrogate pair. `isWellFormed` of strings is not in Node 18. */
const HALF = /\p{Surrogate}/u

/** Text that survives a URL and a database: well-formed Unicode without NUL. */
export function checkText(parameter: string, text: string, word = parameter): string {
  if (typeof text !== 'string') throw new QrError(parameter, 'must be a string', { word })
  if (text.includes('\0')) throw new QrError(parameter, 'must not contain the NUL character', { word })
  if (HALF.test(text))
    throw new QrError(parameter, 'must be well-formed Unicode, without half surrogate pairs', { word })
  return text
}

/** Options that are none have no name of their own that could be said. */
export function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) throw new QrError('options', 'must be an object')
}
