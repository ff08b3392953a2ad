import { must } from './readers.ts'

/** Which database, and of what kind. */
export interface DatabaseAddress {
  kind: 'sqlite' | 'postgres' | 'mysql'
  /** A file, or an address with a scheme. */
  address: string
}

const KINDS = {
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
  sqlite: 'sqlite',
} as const

/** A file is SQLite's; what has a scheme is what the scheme says. */
export function databaseAddress(given: unknown): DatabaseAddress {
  if (typeof given !== 'string' || given === '' || given.includes('\0')) {
    return must('be a file, or a postgres:// or mysql:// address')
  }
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(given) ?? []
  if (scheme === undefined) {
    // No file: a server's address behind a blank, say. It is not repeated, for it may have a password in it.
    if (given.includes('://')) return must('begin with postgres:// or mysql://, or be a file')
    return { kind: 'sqlite', address: given }
  }
  const kind = Object.hasOwn(KINDS, scheme.toLowerCase())
    ? KINDS[scheme.toLowerCase() as keyof typeof KINDS]
    : undefined
  if (kind === undefined) return must(`be a file, or a postgres:// or mysql:// address, not ${scheme}://…`)
  return { kind, address: kind === 'sqlite' ? given.slice('sqlite://'.length) : given }
}

/** Whether an address has a password in it: whoever may list a machine's processes reads their flags. */
export function hasPassword(address: string): boolean {
  return /^\s*[a-z]+:\/\/[^/?#]*:[^/?#]*@/i.test(address) || /[?&]\w*password\w*=/i.test(address)
}
