import { Pool } from 'undici'
import type { Contender } from './contender.ts'
import type { Shop } from './open.ts'
import type { Ask } from './scenarios.ts'

/** What one round came to. */
export interface Round {
  perSecond: number
  /** Microseconds of the server's processor time for a request. */
  cpu: number
  /** Milliseconds of each call. */
  latencies: number[]
}

/** Asks a contender over so many connections for so long. */
export async function load(
  contender: Contender,
  once: (ask: Ask) => Promise<number>,
  connections: number,
  milliseconds: number,
): Promise<Round> {
  const pool = new Pool(contender.origin, { connections, pipelining: 1 })
  const ask: Ask = async (shop, method, path, body) => {
    const answer = await pool.request({
      method,
      path,
      headers: { authorization: credentials(shop) },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 200)
      throw new Error(`${contender.name} answered ${path} with ${answer.statusCode}`)
    return text
  }
  const latencies: number[] = []
  let requests = 0
  const cpu = await contender.cpu()
  const begin = performance.now()
  const lane = async () => {
    for (let now = performance.now(); now - begin < milliseconds; ) {
      const asked = await once(ask)
      requests += asked
      const end = performance.now()
      latencies.push(end - now)
      now = end
    }
  }
  await Promise.all(Array.from({ length: connections }, lane))
  const seconds = (performance.now() - begin) / 1000
  const used = (await contender.cpu()) - cpu
  await pool.close()
  return { perSecond: requests / seconds, cpu: used / requests, latencies }
}

const known = new Map<string, string>()

function credentials({ apiKey }: Shop): string {
  const made = known.get(apiKey) ?? `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`
  known.set(apiKey, made)
  return made
}
