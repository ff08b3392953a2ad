import type { RateLimiter, RateLimiterAnswer } from './rate-limiter.ts'
import { RateLimiterMemory } from './rate-limiter-memory.ts'

/** A timer of Node takes no more, in seconds: a longer window would end at once, and nothing be limited. */
const LONGEST = 2_147_483

/**
 * A limiter in this process's memory. Its windows end by a timer, but how long they last it tells by a clock that may be put
 * back: nobody is told to wait for longer than a window.
 */
export function memoryLimiter(size: Required<Pick<RateLimiter, 'points' | 'duration'>>): RateLimiter {
  const { points } = size
  const duration = Math.min(size.duration, LONGEST)
  const memory = new RateLimiterMemory({ points, duration })
  const longest = duration * 1000

  function withinWindow<Answer extends RateLimiterAnswer>(answer: Answer): Answer {
    if ((answer.msBeforeNext ?? 0) > longest) answer.msBeforeNext = longest
    return answer
  }

  return {
    async consume(key, cost) {
      try {
        return withinWindow(await memory.consume(key, cost))
      } catch (refusal) {
        throw withinWindow(refusal as RateLimiterAnswer)
      }
    },
    async get(key) {
      const answer = await memory.get(key)
      return answer && withinWindow(answer)
    },
  }
}
