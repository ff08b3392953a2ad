import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { type Found, inTurns, type Listening, median, type Turn } from './turns.ts'

/** How many requests make a turn, and how many come before they count: few, so that turns meet the same noise. */
const [REQUESTS, WARM_UP] = [300, 20]
const WORDS: Record<Listening, string> = {
  none: 'nobody listens',
  subscriber: 'a subscriber of every channel',
  metrics: 'instrumented, metrics alone',
  one: 'instrumented, 1 trace in 100 kept',
  all: 'instrumented, every trace kept',
}
/** Who listens, in the order of the tables. */
export const LISTENING = Object.keys(WORDS) as Listening[]

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

  async function ask(many: number): Promise<void> {
    let left = many
    const lane = async () => {
      while (left-- > 0) await get()
    }
    await Promise.all(Array.from({ length: 8 }, lane))
  }

  async function tell<Answer>(message: Turn): Promise<Answer> {
    const answered = once(server, 'message')
    server.send(message)
    return (await answered)[0].answer
  }

  async function askInTurn(who: Listening): Promise<number> {
    await tell({ listening: who })
    await ask(WARM_UP)
    await tell('begin')
    await ask(REQUESTS)
    return (await tell<number>('end')) / REQUESTS
  }

  print(`GET /v1/payments through toNode, ${title}`, await inTurns(rounds, listening, askInTurn), listening)
  print(`start and complete, ${title}`, await tell<Found>({ turns: rounds, of: listening }), listening)
  agent.destroy()
  server.kill()
  await ended.catch(() => {})
}

function print(what: string, found: Found, listening: readonly Listening[]): void {
  console.log(`\n${what}`)
  for (const who of listening) {
    const ratios = found[who].map((one, round) => one / (found.none[round] ?? Number.NaN))
    const figures = `${median(found[who]).toFixed(1).padStart(8)} µs of CPU  × ${median(ratios).toFixed(3)}`
    console.log(`${WORDS[who].padEnd(36)}${figures}`)
  }
}
