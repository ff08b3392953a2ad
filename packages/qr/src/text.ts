import { QrError } from './qr-error.ts'

/** Text that survives a URL and a database: well-formed Unicode without NUL. */
export function checkText(parameter: string, text: string): string {
  if (typeof text !== 'string') throw new QrError(parameter, 'must be a string')
  if (text.includes('\0')) throw new QrError(parameter, 'must not contain the NUL character')
  if (!text.isWellFormed())
    throw new QrError(parameter, 'must be well-formed Unicode, without half surrogate pairs')
  return text
}
