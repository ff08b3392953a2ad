import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { isOutOfFiles } from '../out-of-files.ts'
import type { HostAddress } from './address.ts'

const PATH =
  process.platform === 'win32'
    ? `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\drivers\\etc\\hosts`
    : '/etc/hosts'

/** However many ask, it is read so often. */
const READ_EVERY_MILLISECONDS = 1000

/**
 * The addresses that the machine's hosts file has for a name in lower case; none where it cannot be read. Rejects where this process
 * may open no more files: name servers could not be asked either, and it would seem that there is no such name.
 */
export function createHostsFile(path: string = PATH): (name: string) => Promise<HostAddress[]> {
  let names: Promise<Map<string, HostAddress[]>> | undefined
  let readAt = 0
  return async name => {
    const now = performance.now()
    if (names === undefined || now - readAt > READ_EVERY_MILLISECONDS) {
      readAt = now
      names = readFile(path, 'utf8').then(namesIn, error => {
        if (isOutOfFiles(error)) {
          names = undefined
          throw error
        }
        return new Map()
      })
    }
    return (await names).get(name) ?? []
  }
}

function namesIn(text: string): Map<string, HostAddress[]> {
  const found = new Map<string, HostAddress[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    // An address with a zone is none that another machine could be told.
    if (family === 0 || address.includes('%')) continue
    for (const name of new Set(names.map(name => name.toLowerCase()))) {
      const addresses = found.get(name) ?? []
      addresses.push({ address, family })
      found.set(name, addresses)
    }
  }
  return found
}
