import { createHash, timingSafeEqual } from 'node:crypto'
import type { Authorize } from '@tillkit/console'
import { clientNetwork, limit, UNKNOWN_NETWORK } from '@tillkit/http'
import type { Values } from '../settings/settings.ts'

/** How many wrong passwords an address may send in a minute: a person mistypes, a program guesses. */
const MISTAKES = { points: 10, duration: 60 }

/** Lets in who sends the name and the password of the settings, by HTTP Basic. */
export function operatorOf({ consoleUser = '', consolePassword = '' }: Values): Authorize {
  const expected = digest(`${consoleUser}:${consolePassword}`)
  const mistakes = limit('console', undefined, MISTAKES, false)
  return async ({ headers, remoteAddress }) => {
    const [, encoded] = /^basic +(\S{1,1024})$/i.exec(headers.authorization ?? '') ?? []
    if (encoded === undefined) return null
    const network = clientNetwork(remoteAddress) ?? UNKNOWN_NETWORK
    // Counted before anything is waited for: of a burst of guesses the right one comes after all those before it.
    if (!timingSafeEqual(digest(Buffer.from(encoded, 'base64').toString()), expected)) {
      await mistakes.count(network)
      return null
    }
    const { remaining } = await mistakes.left(network)
    return remaining === 0 ? null : { name: consoleUser }
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
