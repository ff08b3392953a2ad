import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { Values } from '../settings/settings.ts'

/** A certificate with its chain, and its private key, in PEM. */
export interface Credentials {
  cert: Buffer
  key: Buffer
}

/** Reads what `--tls-cert` and `--tls-key` name; undefined where they are not given. Throws an error that says what is wrong. */
export function readCredentials({ tlsCert, tlsKey }: Values): Credentials | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined
  const credentials = { cert: contents('--tls-cert', tlsCert), key: contents('--tls-key', tlsKey) }
  try {
    createSecureContext(credentials)
  } catch (error) {
    throw new Error(`--tls-cert and --tls-key are no certificate and its key: ${(error as Error).message}`)
  }
  return credentials
}

function contents(flag: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new Error(`${flag} names ${file}, which cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}
