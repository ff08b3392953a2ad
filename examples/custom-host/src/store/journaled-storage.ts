import { parseJson } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import { memoryStorage } from '@tillkit/storage/memory'
import { openJournal } from './journal.ts'

/** Methods of the port that change nothing. One that is not listed counts as a write, which is safe. */
const READS = new Set([
  ...['get', 'find', 'findMerchant', 'findAttempt', 'list', 'idRange', 'walk'],
  ...['payments', 'pendingSince', 'unsettled', 'period', 'takings'],
])

type Method = (...args: unknown[]) => Promise<unknown>
type Parts = Record<string, Record<string, Method>>
type Call = [part: string, method: string, args: unknown[]]

/**
 * A store of one's own: everything is in memory, and every write is in a journal before it is acknowledged, so that
 * opening the file again plays the same calls in the same order. For one process, and as many payments as fit into it.
 */
export async function journaledStorage(path: string): Promise<Storage & { close(): Promise<void> }> {
  const memory = memoryStorage() as unknown as Parts
  const apply = async ([part, method, args]: Call) => memory[part]?.[method]?.(...args)
  const journal = await openJournal(path, async entry => void (await apply(entry as Call)))

  let turn: Promise<unknown> = Promise.resolve()

  async function write(part: string, method: string, args: unknown[]): Promise<unknown> {
    // What is applied now is exactly what will be played again.
    const call = parseJson(JSON.stringify([part, method, args])) as Call
    const mine = turn.then(async () => {
      const result = await apply(call)
      return { result, written: journal.append(call) }
    })
    turn = mine.catch(() => {})
    const { result, written } = await mine
    await written
    return result
  }

  /** Nobody gets to see what a crash could take back. */
  async function read(call: Call): Promise<unknown> {
    await turn
    const result = await apply(call)
    await journal.flushed()
    return result
  }

  const parts: Parts = {}
  for (const [part, methods] of Object.entries(memory)) {
    // It has no time of its own: what is played again must be dated as it was, so each call says when it is.
    if (typeof methods === 'function') continue
    parts[part] = {}
    for (const method of Object.keys(methods)) {
      parts[part][method] = (...args) =>
        READS.has(method) ? read([part, method, args]) : write(part, method, args)
    }
  }
  return { ...(parts as unknown as Storage), close: () => journal.close() }
}
