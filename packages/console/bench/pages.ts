import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createConsole, PERMISSIONS } from '@tillkit/console'
import { type HttpHandler, type HttpRequest, merchantApi } from '@tillkit/http'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'
import { fill } from './fill.ts'

const { values } = parseArgs({
  options: { payments: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '15' } },
})
const SMALL = 3000
const many = Number(values.payments)
const rounds = Number(values.rounds)

/** The pages of one shop and of all, and beside them what the API's lists cost. */
const PAGES = (cashUp: string, last: number): [name: string, path: string][] => [
  ['today, of all', '/today'],
  ['a day before, of all', `/today?day=${new Date(Date.now() - 4 * 86_400_000).toISOString().slice(0, 10)}`],
  ['today, of one', '/m-cafe/today'],
  ['merchants', '/merchants'],
  ['payments', '/m-cafe/payments'],
  ['payments, page 60', '/m-cafe/payments?page=60'],
  ['payments that failed', '/m-cafe/payments?status=error'],
  ['a payment', `/m-cafe/payments/${Math.floor(last / 2)}`],
  ['found by the reference of a code', '/m-cafe/find?q=Till+1'],
  ['found by a code of six digits', '/m-cafe/find?q=123456'],
  ['cash ups, with the open period', '/m-cafe/cash-ups'],
  ['a cash up', `/m-cafe/cash-ups/${cashUp}`],
  ['webhooks', '/m-cafe/webhooks'],
  ['webhooks that were given up', '/m-cafe/webhooks?state=exhausted'],
  ['webhooks, of all', '/webhooks'],
  ['unresolved', '/unresolved'],
]

interface Shop {
  pages: [name: string, path: string][]
  console: HttpHandler
  api: HttpHandler
  key: string
  close(): Promise<void>
}

async function open(count: number): Promise<Shop> {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-console-'))
  const file = join(folder, 'till.db')
  const cashUp = await fill(file, count)
  const storage = sqliteStorage({ file })
  const till = createTill({ storage, logger: false })
  const { apiKey } = await till.apiKeys.issue('cafe')
  const { handler } = createConsole(till, {
    authorize: () => ({ name: 'Ada', permissions: PERMISSIONS }),
    currency: 'EUR',
    rateLimits: false,
    https: 'off',
  })
  return {
    pages: PAGES(cashUp, count),
    console: handler,
    api: merchantApi(till, { https: 'off', rateLimits: false }),
    key: apiKey,
    async close() {
      await till.close()
      await storage.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** Milliseconds until a handler has answered, and whether the page says that it is counting. */
async function ask(handler: HttpHandler, target: string, key = ''): Promise<[number, boolean]> {
  const [path = '', query = ''] = target.split('?')
  const authorization = `Basic ${btoa(`${key}:`)}`
  const request: HttpRequest = {
    ...{ method: 'GET', path, query, headers: { host: 'localhost', authorization }, secure: false },
    ...{ remoteAddress: '127.0.0.1', body: async () => Buffer.alloc(0) },
  }
  const began = performance.now()
  const { status, body } = await handler(request)
  const took = performance.now() - began
  if (status !== 200) throw new Error(`${target} was answered with ${status}`)
  return [took, /being counted|counting…/.test(String(body))]
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

async function medians([few, all]: [Shop, Shop], asked: number | string) {
  const took: [number[], number[]] = [[], []]
  let counted = 0
  for (let round = 0; round < rounds; round++) {
    for (const [at, shop] of [few, all].entries()) {
      const [handler, target] =
        typeof asked === 'string' ? [shop.api, asked] : [shop.console, shop.pages[asked]?.[1] ?? '']
      const [milliseconds, isCounting] = await ask(handler, target, shop.key)
      took[at as 0 | 1].push(milliseconds)
      if (isCounting && at === 1) counted += 1
    }
  }
  return { few: median(took[0]), all: median(took[1]), counted }
}

const shops: [Shop, Shop] = [await open(SMALL), await open(many)]
const api = await medians(shops, '/payments')
const filtered = await medians(shops, '/payments?scanCodeReference=Till+1')
const line = (cells: (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)
const digits = (milliseconds: number) => milliseconds.toFixed(milliseconds < 10 ? 2 : 0)

console.log(
  `Over SQLite, in turns, the medians of ${rounds}; the first time apart, before anything was counted or kept.\n`,
)
line(['', `${SMALL} payments, ms`, `${many}, ms`, 'ratio', 'to the API’s list', 'the first time, ms'])
line(['---', '---', '---', '---', '---', '---'])
const ofApi = (name: string, { few, all }: { few: number; all: number }) =>
  line([name, digits(few), digits(all), (all / few).toFixed(2), (all / api.all).toFixed(1), ''])
ofApi('the API’s list of payments', api)
ofApi('the same by a reference that all have', filtered)
for (const [n, [name, path]] of shops[1].pages.entries()) {
  const [first, isCounting] = await ask(shops[1].console, path)
  // Until what was begun is counted, and what is kept of it is written.
  for (let still = first > 100; still; ) {
    await new Promise(resolve => setTimeout(resolve, 5000))
    still = (await ask(shops[1].console, path))[1]
  }
  const { few, all } = await medians(shops, n)
  const said = `${digits(first)}${isCounting ? ', says that it is counting' : ''}`
  line([name, digits(few), digits(all), (all / few).toFixed(2), (all / api.all).toFixed(1), said])
}
for (const shop of shops) await shop.close()
