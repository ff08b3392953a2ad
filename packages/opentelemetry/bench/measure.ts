import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { type Listening, median, PAYMENTS, type Turn } from './turns.ts'

/** So many are asked before it counts, since a new listener is new code for the engine, and so many that do. */
const REQUESTS = 3000
const WORDS: Record<Listening, string> = {
  none: 'nobody listens',
  subscriber: 'a subscriber of every channel',
  metrics: 'instrumented, metrics alone',
  one: 'instrumented, 1 trace in 100 kept',
  all: 'instrumented, every trace kept',
}
/** Who listens, in the order of the tables. */
export const LISTENING = Object.keys(WORDS) as Listening[]
const KINDS = { request: 'GET /v1/payments through toNode', payment: 'start and complete' }

/** Prints what a server computes for a request, and for a payment, by who listens, in turns that go beside each other. */
export async function measure(
  title: string,
  database: string,
  rounds: number,
  listening: readonly Listening[],
): Promise<void> {
  const server = fork(join(import.meta.dirname, 'server.ts'), [database], {
    execArgv: ['--conditions=@tillkit/source'],
  })
  const ended = once(server, 'exit').then(([code]) => {
    throw new Error(`the server ended with ${code}`)
  })
  const [{ port, apiKey }] = await Promise.race([once(server, 'message'), ended])
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const headers = { authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}` }

  const get = () =>
    new Promise<void>((resolve, reject) => {
      const path = '/v1/payments?perPage=10'
      request({ agent, host: '127.0.0.1', port, path, headers }, answer => {
        if (answer.statusCode !== 200) reject(new Error(`answered ${answer.statusCode}`))
        answer.resume().once('end', resolve)
      })
        .once('error', reject)
        .end()
    })

  async function ask(): Promise<void> {
    let left = REQUESTS
    const lane = async () => {
      while (left-- > 0) await get()
    }
    await Promise.all(Array.from({ length: 8 }, lane))
  }

  async function tell(message: Turn): Promise<{ microseconds?: number }> {
    const answer = once(server, 'message')
    server.send(message)
    return (await answer)[0]
  }

  /** The microseconds that the server computes for one. */
  async function turn(listening: Listening, kind: keyof typeof KINDS): Promise<number> {
    await tell({ listening })
    if (kind === 'request') await ask()
    await tell({ count: `${kind}s` })
    if (kind === 'request') await ask()
    const { microseconds = Number.NaN } = await tell('end')
    return microseconds / (kind === 'payment' ? PAYMENTS : REQUESTS)
  }

  for (const kind of ['request', 'payment'] as const) {
    const found: Record<Listening, number[]> = { none: [], subscriber: [], metrics: [], one: [], all: [] }
    for (let round = -2; round < rounds; round++) {
      // Each goes first as often as the others.
      for (let n = 0; n < listening.length; n++) {
        const who = listening[(n + round + 2) % listening.length] as Listening
        const microseconds = await turn(who, kind)
        if (round >= 0) found[who].push(microseconds)
      }
    }
    console.log(`\n${KINDS[kind]}, ${title}`)
    for (const who of listening) {
      const ratios = found[who].map((one, round) => one / (found.none[round] ?? Number.NaN))
      const figures = `${median(found[who]).toFixed(1).padStart(8)} µs of CPU  × ${median(ratios).toFixed(3)}`
      console.log(`${WORDS[who].padEnd(36)}${figures}`)
    }
  }
  agent.destroy()
  server.kill()
  await ended.catch(() => {})
}
