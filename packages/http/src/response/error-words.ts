import { Buffer } from 'node:buffer'
import { renamingOf, type Vocabulary } from '@tillkit/domain'
import type { HttpResponse } from '../handler.ts'

/** Puts the words for `message` and `code` into an error object of ours; anything else stays as it is. */
export type ErrorWords = (response: HttpResponse) => HttpResponse

const AS_IT_IS: ErrorWords = response => response

/** How errors are put, by what a vocabulary says of them. They are rare, so theirs is the one body that is written twice. */
export function errorWords(vocabulary: Vocabulary | undefined): ErrorWords {
  const renamed = renamingOf(vocabulary, 'error')
  if (renamed === undefined) return AS_IT_IS
  return response => {
    if (response.status < 400 || typeof response.body !== 'string') return response
    const body = JSON.stringify(renamed(JSON.parse(response.body)))
    const headers = { ...response.headers, 'Content-Length': String(Buffer.byteLength(body)) }
    return { ...response, headers, body }
  }
}
