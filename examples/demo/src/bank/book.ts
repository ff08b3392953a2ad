import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** A payment that its customer is to confirm at the bank. */
export interface Confirmation {
  /** Cents. */
  amount: number
  /** Who is to be paid. */
  payee: string
  /** Where the bank sends the customer back to. */
  returnUrl: string
  state: 'open' | 'approved' | 'declined' | 'expired'
  /** When it was asked for, in milliseconds. */
  since: number
}

/** What the bank remembers, in a file: it goes on when the demo is started again. */
export interface Book {
  /** Asks for a confirmation under a name; the same name again is the same one. */
  open(name: string, of: Pick<Confirmation, 'amount' | 'payee' | 'returnUrl'>): void
  /** What became of it; null for a name that the bank has not heard of. */
  find(name: string): Confirmation | null
  /** The customer's decision: the first counts. */
  decide(name: string, state: 'approved' | 'declined'): void
}

/** Who does not decide for so long has not paid. */
const OPEN_MS = 15 * 60_000

/** Where a demo's bank keeps its book. */
export function bookFile(data: string): string {
  return `${data}.bank.json`
}

export function openBook(file: string): Book {
  const confirmations = new Map<string, Confirmation>(read(file))

  function put(name: string, confirmation: Confirmation): void {
    confirmations.set(name, confirmation)
    writeFileSync(`${file}.new`, JSON.stringify([...confirmations], null, 2), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }

  function find(name: string): Confirmation | null {
    const found = confirmations.get(name) ?? null
    if (found?.state !== 'open' || Date.now() < found.since + OPEN_MS) return found
    const expired: Confirmation = { ...found, state: 'expired' }
    put(name, expired)
    return expired
  }

  return {
    find,
    open(name, of) {
      if (!confirmations.has(name)) put(name, { ...of, state: 'open', since: Date.now() })
    },
    decide(name, state) {
      const found = find(name)
      if (found?.state === 'open') put(name, { ...found, state })
    },
  }
}

function read(file: string): [string, Confirmation][] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return []
  }
}
