import { RateLimiterMemory } from 'rate-limiter-flexible'

/** A limiter of so many requests, whose window outlasts any test. */
export const memory = (points: number) => new RateLimiterMemory({ points, duration: 3600 })

/** Asks so many times, one after the other, and resolves to the statuses of the answers. */
export async function statuses(times: number, ask: () => Promise<{ status: number }>): Promise<number[]> {
  const seen: number[] = []
  for (let i = 0; i < times; i++) seen.push((await ask()).status)
  return seen
}
