import { type Credentials, withKeyName } from './credentials.ts'
import type { Message } from './question.ts'

/** The request as a line to paste, where `keyName` is the variable that has the key. */
export function curlLine(
  { method, url, headers, body }: Message,
  credentials: Credentials,
  keyName: string,
): string {
  const words = ['curl', method === 'HEAD' ? '-I' : '-i']
  if (method !== 'GET' && method !== 'HEAD') words.push('-X', method)
  const named = (text: string) => withKeyName(text, keyName)
  if (credentials === 'key') words.push('-u', `"$${keyName}:"`)
  else if (typeof credentials === 'object') {
    if ('user' in credentials) words.push('-u', `"${named(credentials.user)}:${named(credentials.password)}"`)
    else words.push('-H', `"Authorization: ${named(credentials.authorization)}"`)
  }
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'authorization') continue
    // curl leaves a header without a value out, unless it ends in a semicolon.
    words.push('-H', quoted(value === '' ? `${name};` : `${name}: ${value}`))
  }
  if (body !== undefined) words.push('-d', quoted(body))
  if (/\/\.{1,2}(\/|$|\?)/.test(url)) words.push('--path-as-is')
  if (/[[\]{}]/.test(url)) words.push('-g')
  return [...words, quoted(url)].join(' ')
}

function quoted(text: string): string {
  return /^[\w:/.=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
