import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { type Authorize, PERMISSIONS } from '@tillkit/console'

/** Who looks after the demo: a real host has a login of its own. */
export const OPERATOR = 'operator'

/** Where the operator's password is kept, so that it goes on working after a restart. */
export function passwordFile(data: string): string {
  return `${data}.operator.txt`
}

/** The password of the file; a new one where there is none. */
export async function loadPassword(file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept.trim() !== '') return kept.trim()
  const password = randomBytes(9).toString('base64url')
  await writeFile(file, `${password}\n`, { mode: 0o600 })
  return password
}

/** Lets the operator in who shows the password as browsers ask for it (HTTP Basic), and lets her do everything. */
export function operatorWith(password: string): Authorize {
  const wanted = digest(`${OPERATOR}:${password}`)
  return ({ headers: { authorization = '' } }) => {
    const [, sent = ''] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization) ?? []
    if (!timingSafeEqual(digest(Buffer.from(sent, 'base64').toString()), wanted)) return null
    return { name: OPERATOR, permissions: PERMISSIONS }
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
