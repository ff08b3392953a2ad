import { Line, type Locks, type Turns } from './merchant-line.ts'

/**
 * How many writes of one merchant are under way at once. Of those that take its lock, one has it and the next are waiting
 * for it at the database, lest it lie idle while this process is busy; those that lock rows of their own, as outcomes do, seldom wait for each other.
 */
const EACH: Record<Locks, number> = { merchant: 3, rows: 4 }

/** The part of the connections that is left for reads, and of the others, the part that stuck merchants may hold. */
const FOR_READS = 0.1
const FOR_STUCK = 0.25

/**
 * Whose turn it is to write. Writes of one merchant go a few at a time; the others wait in the order they came, here and not
 * at the database, where each would hold a connection. Merchants whose lock was waited for in vain go one at a time and
 * share a few connections, so that however many are stuck, most are left to their neighbours, and some always to reads.
 */
export class MerchantTurns implements Turns {
  readonly #size: () => number
  readonly #lines = { merchant: new Map<string, Line>(), rows: new Map<string, Line>() }
  /** Those with somebody waiting, the one whose turn is longest ago first. */
  readonly #queue = new Set<Line>()
  #running = 0
  #stuck = 0

  /** @param size - how many connections there are. */
  constructor(size: () => number) {
    this.#size = size
  }

  /** The line of a merchant's writes, for one call, until it leaves. A call of no merchant's waits for a connection alone. */
  enter(merchantId: string | undefined, locks: Locks): Line {
    const lines = this.#lines[locks]
    const known = merchantId === undefined ? undefined : lines.get(merchantId)
    const line = known ?? new Line(this, merchantId, locks)
    if (merchantId !== undefined && !known) lines.set(merchantId, line)
    line.calls += 1
    return line
  }

  leave(line: Line): void {
    line.calls -= 1
    if (line.calls === 0 && line.merchantId !== undefined) this.#lines[line.locks].delete(line.merchantId)
  }

  /** Whether whoever writes next has to wait, whatever its merchant's others do. */
  areTaken(): boolean {
    return this.#running >= this.#most()
  }

  mayBegin(line: Line): boolean {
    if (this.areTaken()) return false
    if (line.merchantId === undefined) return true
    if (!line.stuck) return line.running < EACH[line.locks]
    return line.running < 1 && this.#stuck < Math.max(1, Math.floor(this.#most() * FOR_STUCK))
  }

  /** Counts a write of `line` as begun; what it returns counts it as ended. */
  begin(line: Line): () => void {
    const asStuck = line.stuck
    this.#running += 1
    line.running += 1
    if (asStuck) this.#stuck += 1
    return () => {
      this.#running -= 1
      line.running -= 1
      if (asStuck) this.#stuck -= 1
      this.#next()
    }
  }

  wait(line: Line): void {
    this.#queue.add(line)
  }

  #next(): void {
    if (this.#queue.size === 0) return
    for (const line of this.#queue) {
      if (this.#running >= this.#most()) return
      if (line.waiting.length > 0 && !this.mayBegin(line)) continue
      this.#queue.delete(line)
      line.waiting.shift()?.()
      if (line.waiting.length > 0) this.#queue.add(line)
    }
  }

  #most(): number {
    const size = this.#size()
    return Math.max(1, size - Math.ceil(size * FOR_READS))
  }
}
