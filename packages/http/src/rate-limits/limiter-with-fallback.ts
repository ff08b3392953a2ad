import type { Logger } from '@tillkit/till'
import type { RateLimiter, RateLimiterAnswer } from './rate-limiter.ts'
import { RateLimiterMemory } from './rate-limiter-memory.ts'

/** A limiter that has not answered by then counts as down. */
const PATIENCE_MS = 500

/** For how long a limiter that is down is left alone; then one request tries it again. */
const PAUSE_MS = 2000

type Operation = 'consume' | 'get'

/**
 * Counts in `shared`, and while that fails or hangs in a memory of the same size: limits never fall away, and
 * once a limiter is known to be down, only one request at a time waits for it.
 */
export function limiterWithFallback(
  name: string,
  shared: RateLimiter,
  memory: RateLimiter,
  logger: Pick<Logger, 'warn'>,
): RateLimiter {
  if (shared instanceof RateLimiterMemory) return shared
  let downUntil = 0

  const inMemory = (operation: Operation, key: string, points?: number) =>
    operation === 'get' ? memory.get(key) : memory.consume(key, points)

  async function ask(operation: Operation, key: string, points?: number): Promise<RateLimiterAnswer | null> {
    const now = performance.now()
    if (now < downUntil) return inMemory(operation, key, points)
    if (downUntil > 0) downUntil = now + PAUSE_MS
    try {
      const answer = await inTime(operation === 'get' ? shared.get(key) : shared.consume(key, points))
      downUntil = 0
      return answer
    } catch (reason) {
      if (!isFailure(reason)) {
        downUntil = 0
        throw reason
      }
      if (downUntil === 0)
        logger.warn({ err: reason, limiter: name }, 'rate limiter is down, counting in memory')
      downUntil = performance.now() + PAUSE_MS
      return inMemory(operation, key, points)
    }
  }

  return {
    consume: (key, points) => ask('consume', key, points) as Promise<RateLimiterAnswer>,
    get: key => ask('get', key),
  }
}

/** A refusal is an answer: the library rejects with what it knows of the key. */
function isFailure(reason: unknown): boolean {
  return reason instanceof Error || typeof reason !== 'object' || reason === null
}

async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const refuse = () => reject(new Error(`no answer within ${PATIENCE_MS} ms`))
    // After a stall of this process timers come first: an answer that waits to be read gets its turn before it is late.
    timer = setTimeout(() => setImmediate(refuse), PATIENCE_MS)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
