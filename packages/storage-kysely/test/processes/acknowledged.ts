import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { CashUp, Payment } from '@tillkit/domain'

/** What a store acknowledged to a process. */
export type Acknowledged =
  | { call: 'start'; attemptKey: string | null; created: boolean; payment: Payment }
  | { call: 'resolve'; changed: boolean; payment: Payment }
  | { call: 'cashUp'; idempotencyKey: string | null; cashUp: CashUp }

/** A file of what was acknowledged; each is in it before the next call is made, so that a SIGKILL loses none. */
export function journal(file: string) {
  const descriptor = openSync(file, 'a')
  return {
    write: (entry: Acknowledged) => writeSync(descriptor, `${JSON.stringify(entry)}\n`),
    close: () => closeSync(descriptor),
  }
}

/** What is in the file; a line that a SIGKILL cut short was not written down and does not count. */
export function acknowledgedIn(file: string): Acknowledged[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  lines.pop()
  return lines.map(line => JSON.parse(line) as Acknowledged)
}
