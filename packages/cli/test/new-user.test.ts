import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type OwnServer, ownMariadb, ownPostgres } from '@tillkit/servers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scratch, tillkit } from './tillkit.ts'

const whyNot = (error: Error) => error
const ENGINES: { name: string; server: OwnServer | Error; more: Record<string, string> }[] = [
  { name: 'PostgreSQL', server: await ownPostgres().catch(whyNot), more: { TILLKIT_SCHEMA: 'shops' } },
  { name: 'MariaDB', server: await ownMariadb().catch(whyNot), more: { TILLKIT_TABLE_PREFIX: 'shops_' } },
]

let folder: string
let remove: () => Promise<void>

beforeAll(async () => {
  ;({ folder, remove } = await scratch())
})

afterAll(() => remove())

describe('ten tasks in SQLite', () => tasks(() => ({ TILLKIT_DATABASE: join(folder, 'till.db') })))

for (const { name, server, more } of ENGINES) {
  if (server instanceof Error) {
    if (process.env.CI === 'true') throw server
    describe.skip(`ten tasks in ${name}: ${server.message}`, () => tasks(() => ({})))
    continue
  }
  describe(`ten tasks in ${name}`, () => {
    afterAll(() => server.remove())
    tasks(() => ({ TILLKIT_DATABASE: server.url, ...more }))
  })
}

/** What somebody does on the first day who has read nothing but `--help`. */
function tasks(env: () => Record<string, string>): void {
  test('from nothing to a settled day', async () => {
    const says = async (...words: string[]) => {
      const ran = await tillkit(words, { env: env() })
      expect({ words, status: ran.status, stderr: ran.status === 0 ? '' : ran.stderr }).toEqual({
        words,
        status: 0,
        stderr: '',
      })
      return ran.stdout
    }
    const data = async (...words: string[]) => JSON.parse(await says(...words, '--json'))

    // 1. what is there to do, and what does the one that sounds right want
    const help = await says('--help')
    for (const word of ['migrate', 'merchants', 'codes', 'keys', 'payments', 'cash-ups', 'serve']) {
      expect(help).toMatch(new RegExp(`^ {2}${word} `, 'm'))
    }
    // 2. without tables nothing is done
    const early = await tillkit(['merchants', 'list'], { env: env() })
    expect(early.status).not.toBe(0)
    expect(early.stderr).toContain('tillkit migrate')
    expect(await says('migrate')).toBe('The tables are up to date.\n')
    // 3. a merchant, as the example of `merchants add --help` has it
    const [, example = ''] =
      /^ {2}tillkit (merchants add .*)$/m.exec(await says('merchants', 'add', '--help')) ?? []
    const words = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
    expect(await data(...words)).toMatchObject({ id: 'coffee', features: { tips: true } })
    // 4. a code for the counter, and its image
    await says('codes', 'create', 'coffee', '--code', 'counter', '--reference', 'Till 1')
    const image = join(folder, 'counter.svg')
    await says('codes', 'print', 'counter', '--qr-base-url', 'https://pay.example.com', '--out', image)
    expect(await readFile(image, 'utf8')).toContain('https://pay.example.com/qr/counter')
    // 5. a key
    const key = (await says('keys', 'issue', 'coffee')).trim()
    // 6. serve, look with the key, and have a customer pay
    const stopping = new AbortController()
    const { promise: ready, resolve } = Promise.withResolvers<string>()
    const serving = tillkit(
      ['serve', '--insecure-http', '--port', '0', '--processor', 'demo', '--currency', 'EUR'],
      {
        env: env(),
        stop: stopping.signal,
        onOutput: text => resolve(/^Serving (http:\S+):/.exec(text)?.[1] ?? ''),
      },
    )
    const origin = await Promise.race([
      ready,
      serving.then(({ stderr }) => Promise.reject(new Error(stderr))),
    ])
    try {
      for (const amount of ['12.50', '10.01']) await pay(origin, amount)
      const headers = { authorization: `Basic ${btoa(`${key}:`)}` }
      const listed = await fetch(`${origin}/v1/payments`, { headers })
      expect(await listed.json()).toMatchObject([
        { id: 2, status: 'error' },
        { id: 1, status: 'completed', totalAmount: 1250 },
      ])
    } finally {
      stopping.abort()
    }
    expect((await serving).status).toBe(0)
    // 7. which payments failed, and why
    expect(await says('payments', 'list', 'coffee', '--status', 'error', '--currency', 'EUR')).toContain(
      '10.01 EUR',
    )
    expect(await says('payments', 'show', 'coffee', '2')).toMatch(/^failure +card_declined$/m)
    // 8. end the day, and see what was in it
    const { reference } = await data('cash-ups', 'create', 'coffee')
    expect(await data('cash-ups', 'payments', 'coffee', reference)).toMatchObject({
      items: [{ id: 1 }],
      total: 1,
    })
    // 9. take the key away
    const [{ id }] = await data('keys', 'list', 'coffee')
    await says('keys', 'revoke', 'coffee', id)
    expect(await data('keys', 'list', 'coffee')).toEqual([])
    // 10. stop the merchant
    expect((await data('merchants', 'suspend', 'coffee')).suspendedAt).not.toBeNull()
  })
}

/** What a customer's browser does. */
async function pay(origin: string, amount: string): Promise<void> {
  const scanned = await fetch(`${origin}/qr/counter`, { redirect: 'manual' })
  const cookie = scanned.headers.get('set-cookie')?.split(';')[0] ?? ''
  const page = new URL(scanned.headers.get('location') ?? '', scanned.url)
  const body = new URLSearchParams({ amount, total: amount.replace('.', '') })
  const paid = await fetch(page, { method: 'POST', body, headers: { cookie }, redirect: 'manual' })
  expect(paid.status).toBe(303)
}
