import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Payment } from '@tillkit/till'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { banner, curlLines, sandboxLine } from '../src/banner.ts'
import { buildDemo, type Demo, type DemoOptions } from '../src/build-demo.ts'
import { CONFIRM_FROM, ODD_TOTALS } from '../src/processor.ts'

const run = promisify(execFile)
let folder: string
let demo: Demo | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillkit-demo-'))
})

afterEach(async () => {
  await demo?.close()
  demo = undefined
  await rm(folder, { recursive: true })
})

async function start(options: Partial<DemoOptions> = {}): Promise<Demo> {
  demo = await buildDemo({ port: 0, data: join(folder, 'demo.db'), pace: 0.05, ...options })
  return demo
}

async function stop(): Promise<void> {
  await demo?.close()
  demo = undefined
}

const shops = ['corner-coffee', 'harbour-books']

test('there are weeks of payments in all three statuses, cash ups and settlements', async () => {
  const { till } = await start({ pace: 60 })
  for (const id of shops) {
    for (const status of ['completed', 'error', 'pending'] as const) {
      expect((await till.payments.list(id, { filter: { status: [status] } })).total).toBeGreaterThan(0)
    }
    const cashUps = await till.cashUps.list(id)
    expect(cashUps.total).toBe(21)
    const oldest = await till.cashUps.payments(id, cashUps.items.at(-1)?.reference ?? '')
    expect(oldest.items.length).toBeGreaterThan(0)
    for (const { statementReference } of oldest.items) expect(statementReference).not.toBeNull()
  }
})

test('the printed password opens the console, and no other does', async () => {
  const demo = await start({ pace: 60 })
  const { url, password } = demo.console
  expect(await banner(demo)).toContain(`${url} (name operator, password ${password})`)
  const look = (name: string, secret: string) =>
    fetch(`${url}/merchants`, { headers: { authorization: `Basic ${btoa(`${name}:${secret}`)}` } })
  const page = await look('operator', password)
  expect([page.status, (await page.text()).includes('Corner Coffee')]).toEqual([200, true])
  for (const wrong of [look('operator', 'x'), look('root', password), fetch(`${url}/merchants`)]) {
    const { status, headers } = await wrong
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Tillkit demo"'])
  }
  await stop()
  expect((await start({ pace: 60 })).console.password).toBe(password)
})

test('the printed line with a test key makes a payment in a ledger apart', async () => {
  const demo = await start({ pace: 60 })
  expect(await banner(demo)).toContain(sandboxLine(demo))
  const before = await demo.till.payments.list('corner-coffee')
  const { stdout } = await run('sh', ['-c', `${sandboxLine(demo)} -s`])
  expect(JSON.parse(stdout)).toMatchObject({ id: 1, status: 'completed', totalAmount: 1250 })
  const { items } = await demo.till.payments.list('corner-coffee')
  expect(
    items
      .slice(0, before.items.length)
      .some(({ totalAmount, scanCode }) => totalAmount === 1250 && scanCode.startsWith('test-')),
  ).toBe(false)
})

test('every printed curl line works when pasted', async () => {
  const lines = await curlLines(await start({ pace: 60 }))
  expect(lines).toHaveLength(5)
  for (const line of lines) {
    const { stdout } = await run('sh', ['-c', `${line} -s -w '\\n%{http_code}'`])
    expect(stdout).toMatch(/\n200$/)
  }
})

test('new payments end in every way, and each outcome is received with its signature verified', async () => {
  const ended = new Map<string, string>()
  const received = new Map<string, string>()
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  await start({
    onPayment: ({ merchantId, id, status }: Payment) => {
      if (status !== 'pending') ended.set(`${merchantId} ${id}`, status)
    },
    onWebhook: (merchantId, { id, status }) => {
      received.set(`${merchantId} ${id}`, status)
      if (received.size >= 30) resolve()
    },
  })
  await enough
  await stop()
  for (const [payment, status] of ended) {
    if (received.has(payment)) expect(received.get(payment)).toBe(status)
  }
})

test('started again it goes on: the same keys, the next ids, and what was pending gets its outcome', async () => {
  const first = await start({ pace: 60 })
  const keys = new Map(first.credentials)
  const before = await Promise.all(shops.map(id => first.till.payments.list(id)))
  const pending = new Set<string>()
  for (const { items } of before) {
    for (const { merchantId, id, status } of items)
      if (status === 'pending') pending.add(`${merchantId} ${id}`)
  }
  expect(pending.size).toBeGreaterThan(0)
  await stop()

  const { promise: allEnded, resolve } = Promise.withResolvers<void>()
  const second = await start({
    onPayment: ({ merchantId, id, status }) => {
      if (status !== 'pending') pending.delete(`${merchantId} ${id}`)
      if (pending.size === 0) resolve()
    },
  })
  expect(second.credentials).toEqual(keys)
  await allEnded
  for (const [shop, id] of shops.entries()) {
    const { total, items } = await second.till.payments.list(id)
    expect(total).toBeGreaterThanOrEqual(before[shop]?.total ?? Number.NaN)
    expect(items[0]?.id).toBe(total)
  }
})

test('--reset starts over, and refuses a file that no demo wrote', async () => {
  const { credentials } = await start({ pace: 60 })
  const key = credentials.get('corner-coffee')?.apiKey
  await stop()
  const again = await start({ pace: 60, reset: true })
  expect(await again.till.authenticate(key ?? '')).toBeNull()
  await stop()

  const other = join(folder, 'letters.txt')
  await writeFile(other, 'Dear Anna,')
  await expect(start({ data: other, reset: true })).rejects.toThrow(/will not reset .*letters\.txt/)
})

test('the banner names the base URL, a key of each shop and a QR-code URL that answers', async () => {
  const running = await start({ pace: 60 })
  const text = await banner(running)
  for (const { apiKey } of running.credentials.values()) expect(text).toContain(apiKey)
  expect(text).toContain(running.baseUrl)
  expect(text).toContain(running.scanUrl)
  expect(text).toContain(running.tableUrl)
  for (const [cents, outcome] of ODD_TOTALS) expect(text).toContain(`….${cents} ${outcome}`)
  expect(text).toContain(`A total of ${CONFIRM_FROM / 100}.00 or more is confirmed at the bank`)
  const page = await fetch(running.scanUrl)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('Harbour Books')
  const image = await fetch(running.scanUrl.replace('?', '.png?'))
  expect(image.headers.get('content-type')).toBe('image/png')
})

test('the page of the API and its document are at the printed address, and the document tells of this server', async () => {
  const demo = await start({ pace: 60 })
  expect(await banner(demo)).toContain(demo.docsUrl)
  for (const address of [demo.docsUrl, `${demo.docsUrl}/`]) {
    const page = await fetch(address)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  }
  const answer = await fetch(`${demo.docsUrl}/openapi.json`)
  const document = (await answer.json()) as { servers: { url: string }[]; paths: Record<string, object> }
  expect(document.servers).toEqual([{ url: demo.baseUrl }])
  expect(document.paths).toHaveProperty(['/payments', 'get', 'operationId'], 'listPayments')
  expect(document.paths).toHaveProperty(['/sandbox/payments', 'post'])
  const authorization = `Basic ${btoa(`${demo.credentials.get('corner-coffee')?.apiKey}:`)}`
  const listed = await fetch(`${document.servers[0]?.url}/payments`, { headers: { authorization } })
  expect(listed.status).toBe(200)
})

/** `fetch` as a browser does it: follows redirects, and keeps the cookie that it is given. */
function browser() {
  let cookie = ''
  return async function open(url: string, init: RequestInit = {}): Promise<{ url: string; text: string }> {
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } })
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
    const location = response.headers.get('location')
    if (location !== null) return open(new URL(location, url).href)
    return { url, text: await response.text() }
  }
}

/** Pays `total` cents on the demo's page, and returns where the result is. */
async function pay(open: ReturnType<typeof browser>, tableUrl: string, total: number): Promise<string> {
  const { url } = await open(tableUrl)
  const form = new URLSearchParams({
    amount: `${total / 100}`,
    reference: `test ${total}`,
    total: String(total),
  })
  return (await open(url, { method: 'POST', body: form })).url
}

test('a customer pays on the page: it is in the API, and the webhook arrives', async () => {
  const received = new Map<number, string>()
  const { tableUrl, baseUrl, credentials } = await start({
    pace: 60,
    onWebhook: (_, { id, status }) => received.set(id, status),
  })
  const open = browser()
  const result = await open(await pay(open, tableUrl, 1250))
  expect(result.text).toMatch(/<h1>Paid<\/h1>.*€12\.50/s)

  const authorization = `Basic ${btoa(`${credentials.get('corner-coffee')?.apiKey}:`)}`
  const listed = await fetch(`${baseUrl}/payments?userReference=test%201250`, { headers: { authorization } })
  const payments = (await listed.json()) as { id: number; status: string; totalAmount: number }[]
  expect(payments[0]).toMatchObject({ totalAmount: 1250, status: 'completed', tipAmount: 0 })
  await vi.waitFor(() => expect(received.get(payments[0]?.id ?? 0)).toBe('completed'), 60_000)
})

test('the processor refuses, delays and leaves unknown by the totals that are printed', async () => {
  const { tableUrl, till } = await start({ pace: 0.5 })
  const open = browser()
  await open(tableUrl)
  const heading = async (url = '') => /<h1>(.*?)<\/h1>/.exec((await open(url)).text)?.[1]
  const results = [1001, 1002, 1003, 1004, 1005].map(total => pay(open, tableUrl, total))
  const [refused, slow, pending, unknown, lost] = await Promise.all(results)
  expect(await heading(refused)).toBe('Not paid')
  for (const url of [slow, pending, lost]) {
    await vi.waitFor(async () => expect(await heading(url)).toBe('Paid'), 60_000)
  }
  expect(await heading(unknown)).toBe('Waiting for the outcome')
  const stuck = (await till.payments.list('corner-coffee', { filter: { status: ['pending'] } })).items
  expect(stuck.map(({ totalAmount }) => totalAmount)).toContain(1004)
})

/** Where a page's link or form leads to that a customer goes on by. */
function wayOn(text: string, pattern: RegExp): string {
  return (pattern.exec(text)?.[1] ?? '').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}

test('from the printed total on a customer confirms at the bank: approves, declines, walks away and comes back', async () => {
  const { tableUrl, till } = await start({ pace: 60 })
  const open = browser()
  await open(tableUrl)
  const sent = async (total: number) => {
    const step = await open(await pay(open, tableUrl, total))
    expect(step.text).toContain('<h1>Confirm your payment</h1>')
    return wayOn(step.text, /data-go href="([^"]*)"/)
  }
  const decide = (bank: string, decision: string) =>
    open(bank, { method: 'POST', body: new URLSearchParams({ decision }) })

  const first = await sent(CONFIRM_FROM)
  expect((await open(first)).text).toMatch(/Pay <b>€100\.00<\/b> to Corner Coffee/)
  expect((await decide(first, 'approved')).text).toMatch(/<h1>Paid<\/h1>.*€100\.00/s)
  expect((await decide(first, 'declined')).text).toContain('<h1>Paid</h1>')
  expect((await decide(await sent(CONFIRM_FROM + 1), 'declined')).text).toContain(
    'You declined it at the bank.',
  )
  const last = await sent(CONFIRM_FROM + 2)
  const away = await open(wayOn((await open(last)).text, /<a href="([^"]*)">Walk away/))
  expect(away.text).toContain('<h1>Confirm your payment</h1>')
  expect((await open(first.replace(/[^/]*$/, 'nobody'))).text).toContain('Nothing is to be confirmed')

  // The demo is started again, on another port: the bank remembers.
  const { items } = await till.payments.list('corner-coffee', { filter: { status: ['pending'] } })
  const waiting = items.find(({ totalAmount }) => totalAmount === CONFIRM_FROM + 2)
  await stop()
  const again = await start({ pace: 60 })
  const { origin } = new URL(again.baseUrl)
  expect((await open(`${origin}${new URL(last).pathname}`)).text).toContain('Walk away')
  expect(await again.till.payments.get('corner-coffee', waiting?.id ?? 0)).toMatchObject({
    status: 'pending',
  })
  const address = new URL(away.url)
  const step = await open(`${origin}${address.pathname}${address.search}`)
  expect(wayOn(step.text, /data-go href="([^"]*)"/)).toBe(`${origin}${new URL(last).pathname}`)
})

function main(...flags: string[]) {
  const child = execFile(process.execPath, [
    '--conditions=@tillkit/source',
    join(import.meta.dirname, '../src/main.ts'),
    ...flags,
  ])
  const output = { out: '', err: '' }
  child.stdout?.on('data', text => {
    output.out += text
  })
  child.stderr?.on('data', text => {
    output.err += text
  })
  return { child, output }
}

test('Ctrl-C stops it cleanly', async () => {
  const { child, output } = main('--port', '0', '--data', join(folder, 'demo.db'), '--quiet')
  while (!output.out.includes('/payments/cash_ups/')) await once(child.stdout ?? child, 'data')
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(output.err).toBe('')
})

test('what cannot be run is one line and an exit code', async () => {
  const running = await start({ pace: 60 })
  const text = join(folder, 'letters.txt')
  await writeFile(text, 'Dear Anna, this is not a database.')
  const cases: [string[], number, RegExp][] = [
    [['--port', 'http'], 2, /^--port must be 0 to 65535, not http\nusage: .*\n$/],
    [['--prot', '1'], 2, /^Unknown option '--prot'.*\nusage: .*\n$/],
    [
      ['--port', new URL(running.baseUrl).port, '--data', join(folder, 'b.db')],
      1,
      /^the port is taken: .*\n$/,
    ],
    [['--port', '0', '--data', text], 1, /^cannot open the database .*: it is not an SQLite database\n$/],
    [['--port', '0', '--data', join(folder, 'no/such/demo.db')], 1, /^cannot open the database .*\n$/],
    [['--port', '0', '--data', folder], 1, /^cannot open the database .*\n$/],
  ]
  for (const [flags, code, message] of cases) {
    const { child, output } = main(...flags)
    expect((await once(child, 'close'))[0]).toBe(code)
    expect(output.err).toMatch(message)
  }
})
