/** Who asks: nobody, whoever has the key, or somebody who says something else. In each text `$KEY` stands for the key. */
export type Credentials = 'key' | 'none' | { user: string; password: string } | { authorization: string }

/** In a text of credentials, as a shell says it: the key in capitals. */
export const KEY_IN_CAPITALS = '$(echo $KEY | tr a-z A-Z)'
/** In a text of credentials, as a shell says it: the key and a colon in base64. */
export const KEY_IN_BASE64 = '$(printf %s "$KEY:" | base64 -w0)'

/** The value of `Authorization`; null where there is none. */
export function authorizationOf(credentials: Credentials, key: string): string | null {
  if (credentials === 'none') return null
  if (credentials === 'key') return basic(`${key}:`)
  const keyed = (text: string) =>
    text
      .replaceAll(KEY_IN_BASE64, base64(`${key}:`))
      .replaceAll(KEY_IN_CAPITALS, key.toUpperCase())
      .replaceAll('$KEY', key)
  if ('authorization' in credentials) return keyed(credentials.authorization)
  return basic(keyed(`${credentials.user}:${credentials.password}`))
}

/** A text of credentials with another name for the variable that has the key. */
export function withKeyName(text: string, name: string): string {
  return text.replaceAll('$KEY', `$${name}`)
}

function basic(pair: string): string {
  return `Basic ${base64(pair)}`
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** Takes the key out of a text, as it is and as it is sent: in base64, whatever stands before and after it. */
export function hiding(key: string, name: string): (text: string) => string {
  const sent = [0, 1, 2].map(before => {
    const text = base64(`${' '.repeat(before)}${key}`)
    // Without the letters that have bits of what is beside it.
    return text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + key.length) * 4) / 3))
  })
  // What is shorter may be a part of anything.
  const secrets = [key, key.toUpperCase(), ...sent].filter(({ length }) => length >= 8)
  return text => secrets.reduce((text, secret) => text.replaceAll(secret, `$${name}`), text)
}
