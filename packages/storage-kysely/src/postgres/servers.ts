import { refuse } from '../schema/invalid-input.ts'

/** Where a database is. */
export interface Servers {
  /** Of each server that may have it, one that takes writes among them. */
  addresses: [string, ...string[]]
  /** Whether a server is asked if it takes writes before it is given any. */
  asked: boolean
}

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s

/**
 * Reads an address, which may name several hosts as libpq's do: `postgres://user@one:5432,two:5432/database`. Throws
 * `TillError` for what is none.
 */
export function serversOf(connectionString: string): Servers {
  if (isSocket(connectionString)) return { addresses: [connectionString], asked: false }
  const [, before = '', hosts = '', after = ''] = PARTS.exec(connectionString) ?? []
  if (!hosts.includes(',') && !after.includes('target_session_attrs')) {
    assertAddress(connectionString)
    return { addresses: [connectionString], asked: false }
  }
  const [first = '', ...rest] = hosts.split(',')
  const wanted = new Set<string>()
  const addressOf = (host: string) => {
    const address = before + host + after
    assertAddress(address)
    const url = new URL(address)
    for (const value of url.searchParams.getAll('target_session_attrs')) wanted.add(value)
    url.searchParams.delete('target_session_attrs')
    return url.href
  }
  const addresses: Servers['addresses'] = [addressOf(first), ...rest.map(addressOf)]
  for (const value of wanted) {
    if (!['any', 'read-write', 'primary'].includes(value)) {
      refuse('target_session_attrs must be read-write, primary or any, as a storage writes')
    }
  }
  return { addresses, asked: !wanted.has('any') }
}

/** Whether it is the folder of a socket. */
export const isSocket = (connectionString: string) => /^(\/|socket:)/.test(connectionString)

function assertAddress(address: string): void {
  const wanted = 'connectionString must be a postgres:// address'
  if (!URL.canParse(address)) refuse(`${wanted}, and this is not a URL`)
  const { protocol } = new URL(address)
  if (!/^postgres(ql)?:$/.test(protocol)) refuse(`${wanted}, and this begins with ${protocol}`)
}
