import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill, type Till } from '@tillkit/till'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scratch, tillkit } from './tillkit.ts'

let folder: string
let remove: () => Promise<void>
let env: Record<string, string>
let till: Till
let close: () => Promise<void>

const says = async (...words: string[]) => {
  const ran = await tillkit(words, { env })
  expect(ran).toMatchObject({ status: 0 })
  return ran.stdout
}
const data = async (...words: string[]) => JSON.parse(await says(...words, '--json'))

beforeAll(async () => {
  ;({ folder, remove } = await scratch())
  const file = join(folder, 'till.db')
  env = { TILLKIT_DATABASE: file }
  await says('migrate')
  const storage = sqliteStorage({ file })
  till = createTill({ storage, logger: false })
  close = async () => {
    await till.close()
    await storage.close()
  }
})

afterAll(async () => {
  await close()
  await remove()
})

test('a merchant is added, listed, shown, changed, suspended and resumed', async () => {
  const added = await data('merchants', 'add', 'Corner Coffee', '--id', 'coffee', '--tips')
  expect(added).toEqual(await till.merchants.get('coffee'))
  expect(added.features).toEqual({ tips: true, userReferences: false, deviceLists: false })
  expect(await says('merchants', 'list')).toMatch(/^id +name .*\ncoffee +Corner Coffee +– /)
  expect(await says('merchants', 'show', 'coffee')).toMatch(/^tips +yes$/m)

  const url = 'https://coffee.example/paid'
  await says('merchants', 'change', 'coffee', '--webhook-url', url, '--no-tips', '--device-lists')
  expect(await till.merchants.get('coffee')).toMatchObject({
    webhookUrl: url,
    features: { tips: false, userReferences: false, deviceLists: true },
  })
  expect(await data('merchants', 'change', 'coffee', '--no-webhook-url')).toMatchObject({ webhookUrl: null })
  await says('merchants', 'change', 'coffee', '--no-device-lists', '--tips')

  expect((await data('merchants', 'suspend', 'coffee')).suspendedAt).not.toBeNull()
  expect((await data('merchants', 'resume', 'coffee')).suspendedAt).toBeNull()
})

test('lists of merchants go on after an id', async () => {
  for (const id of ['p1', 'p2', 'p3']) await till.merchants.create({ id, name: id })
  const { stdout, stderr } = await tillkit(['merchants', 'list', '--after', 'p1', '--limit', '1'], { env })
  expect(stdout).toMatch(/\np2 /)
  expect(stdout).not.toMatch(/\np3 /)
  expect(stderr).toBe('there may be more: --after p2\n')
})

test('a key is issued once, on stdout alone, works, is listed without itself and revoked', async () => {
  const { stdout, stderr } = await tillkit(['keys', 'issue', 'coffee', '--label', 'till 3'], { env })
  expect(stdout).toMatch(/^tk_\w+\n$/)
  const [, id = ''] = /its id is (key_\w+)/.exec(stderr) ?? []
  expect(stderr).not.toContain(stdout.trim())
  expect(await till.authenticate(stdout.trim())).toMatchObject({ id: 'coffee' })

  const issued = await data('keys', 'issue', 'coffee', '--expires-in-seconds', '60')
  expect(Object.keys(issued)).toEqual(['id', 'apiKey', 'expiresAt'])
  const listed = await data('keys', 'list', 'coffee')
  expect(listed).toEqual(await till.apiKeys.list('coffee'))
  expect(listed.map(({ label }: { label: string }) => label)).toEqual(['till 3', null])

  expect(await says('keys', 'revoke', 'coffee', id)).toBe(`${id} is revoked\n`)
  expect(await data('keys', 'list', 'coffee')).toHaveLength(1)
  expect(await tillkit(['keys', 'revoke', 'coffee', id], { env })).toMatchObject({ status: 1, stdout: '' })
})

test('a webhook key is printed once, and encrypted where there are secrets', async () => {
  const key = Buffer.alloc(32, 7).toString('base64')
  const secrets = JSON.stringify({ current: 'k1', keys: { k1: key } })
  const ran = await tillkit(['merchants', 'webhook-key', 'coffee', '--overlap-seconds', '60'], {
    env: { ...env, TILLKIT_SECRETS: secrets },
  })
  expect(ran).toMatchObject({ status: 0, stderr: 'nobody can show this key again\n' })
  expect(ran.stdout).toMatch(/^\S{20,}\n$/)
  expect((await readFile(join(folder, 'till.db'))).includes(ran.stdout.trim())).toBe(false)
})

test('codes are created, listed, suspended and resumed', async () => {
  expect(await data('codes', 'create', 'coffee', '--code', 'counter', '--reference', 'Till 1')).toEqual(
    await till.scanCodes.get('counter'),
  )
  const made = await data('codes', 'create', 'coffee')
  expect(made.code).toMatch(/^\w{22}$/)
  expect(await data('codes', 'list', 'coffee')).toEqual(await till.scanCodes.list('coffee'))
  expect((await data('codes', 'suspend', made.code)).suspendedAt).not.toBeNull()
  expect(await says('codes', 'resume', made.code)).toMatch(/^suspended +–$/m)
})

test('payments are listed by the filters of the API, shown, completed and failed', async () => {
  for (const totalAmount of [350, 1250, 99]) {
    await till.payments.start({ scanCode: 'counter', totalAmount, merchantReference: `order-${totalAmount}` })
  }
  expect(await data('payments', 'complete', 'coffee', '1')).toMatchObject({ id: 1, status: 'completed' })
  expect(await data('payments', 'fail', 'coffee', '2', '--failure', 'card_declined')).toMatchObject({
    status: 'error',
    failure: 'card_declined',
  })
  expect(await data('payments', 'list', 'coffee')).toEqual(await till.payments.list('coffee'))
  const pending = await tillkit(['payments', 'list', 'coffee', '--status', 'pending', '--currency', 'EUR'], {
    env,
  })
  expect(pending.stdout).toMatch(/\n3 .* pending +0\.99 EUR +0\.00 EUR +counter +order-99 /)
  expect(pending.stderr).toBe('1 to 1 of 1\n')
  expect(await data('payments', 'list', 'coffee', '--merchant-reference', 'order-350')).toMatchObject({
    total: 1,
  })
  expect(await data('payments', 'list', 'coffee', '--page', '2', '--per-page', '2')).toMatchObject({
    items: [{ id: 1 }],
    total: 3,
  })
  for (const offset of ['1000000000000000', '9007199254740991'])
    expect(await data('payments', 'list', 'coffee', '--offset', offset)).toEqual({ items: [], total: 3 })
  for (const offset of ['9007199254740992', '9'.repeat(17)])
    expect(await tillkit(['payments', 'list', 'coffee', '--offset', offset], { env })).toMatchObject({
      status: 2,
      stderr: `tillkit: --offset must be a whole number, not ${offset}\n`,
    })
  expect(await says('payments', 'show', 'coffee', '2')).toMatch(/^failure +card_declined$/m)
  expect(await tillkit(['payments', 'show', 'coffee', '9'], { env })).toEqual({
    status: 1,
    stdout: '',
    stderr: 'tillkit: merchant coffee has no payment 9\n',
  })
  expect(await tillkit(['payments', 'fail', 'coffee', '1'], { env })).toMatchObject({
    status: 1,
    stderr: 'tillkit: payment 1 is already completed\n',
  })
})

test('cash ups are made once under one key, listed, and their payments are', async () => {
  await says('payments', 'fail', 'coffee', '3')
  const first = await data('cash-ups', 'create', 'coffee', '--idempotency-key', 'friday')
  expect(await data('cash-ups', 'create', 'coffee', '--idempotency-key', 'friday')).toEqual(first)
  expect(await data('cash-ups', 'list', 'coffee')).toEqual({ items: [first], total: 1 })
  expect(await data('cash-ups', 'payments', 'coffee', first.reference)).toMatchObject({
    items: [{ id: 1, status: 'completed' }],
    total: 1,
  })
})

test('codes are drawn in the terminal, as images, and as a sheet of those that are not suspended', async () => {
  const qr = { ...env, TILLKIT_QR_BASE_URL: 'https://pay.example.com' }
  const url = 'https://pay.example.com/qr/counter?id=o1&amount=350&strict=true'
  const plain = await tillkit(['codes', 'print', 'counter', '--id', 'o1', '--amount', '350', '--strict'], {
    env: qr,
  })
  expect(plain.stdout).toMatch(/[█▀▄]/)
  expect(plain.stdout).toContain(`\n${url}\n`)
  for (const as of ['terminal', 'svg', 'png', 'sheet']) {
    const words = ['codes', 'print', 'counter', '--as', as, '--out', '-', '--id']
    expect(await tillkit([...words, 'o'.repeat(255)], { env: qr })).toMatchObject({ status: 0 })
    expect(await tillkit([...words, 'o'.repeat(256)], { env: qr })).toMatchObject({
      ...{ status: 2, stdout: '' },
      stderr: 'tillkit: --id must be text of at most 255 characters: no payment has another reference\n',
    })
  }
  const far = { ...qr, TILLKIT_QR_BASE_URL: `https://pay.example.com/${'a'.repeat(3000)}` }
  for (const as of ['terminal', 'svg']) {
    const ran = await tillkit(['codes', 'print', 'counter', '--as', as, '--out', '-'], { env: far })
    expect(ran).toEqual({ status: 2, stdout: '', stderr: 'tillkit: url is too long for a QR code\n' })
  }
  const coloured = await tillkit(['codes', 'print', 'counter'], { env: qr, terminal: true })
  expect(coloured.stdout).toContain('\u001b[')

  const file = (name: string) => join(folder, name)
  for (const name of ['c.svg', 'c.png', 'c.html']) {
    const ran = await tillkit(['codes', 'print', 'counter', '--out', file(name)], { env: qr })
    expect(ran).toEqual({ status: 0, stdout: '', stderr: `${file(name)} is written\n` })
  }
  expect(await readFile(file('c.svg'), 'utf8')).toMatch(/^<svg /)
  expect((await readFile(file('c.png'))).subarray(1, 4).toString()).toBe('PNG')

  await till.merchants.update('coffee', { name: 'A <b>& Co' })
  const sheet = await tillkit(['codes', 'print', '--merchant', 'coffee', '--as', 'sheet', '--out', '-'], {
    env: qr,
  })
  expect(sheet.stdout.match(/<figure>/g)).toHaveLength(2)
  expect(sheet.stdout).toContain('A &#60;b&#62;&#38; Co')
  await till.scanCodes.suspend('counter')
  const open = await tillkit(['codes', 'print', '--merchant', 'coffee', '--json'], { env: qr })
  expect(JSON.parse(open.stdout)).toMatchObject([{ merchantId: 'coffee' }])
  await till.scanCodes.resume('counter')
  await till.merchants.update('coffee', { name: 'Corner Coffee' })

  expect(await tillkit(['codes', 'print', 'counter', '--out', 'x.gif'], { env: qr })).toMatchObject({
    status: 2,
  })
  expect(
    (await tillkit(['codes', 'print', 'counter', '--out', file('d.png'), '--size', '5'], { env: qr })).stderr,
  ).toMatch(/^tillkit: --size must be /)
})

test('every command has an example and its help, which runs nothing', async () => {
  const { stdout: top } = await tillkit(['--help'])
  const namesIn = (help: string) =>
    [...(help.split('Commands:')[1] ?? '').matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name = '']) => name)
  const groups = namesIn(top)
  expect(groups).toContain('serve')
  for (const group of groups.filter(name => name !== 'help')) {
    const { stdout, status } = await tillkit([group, '--help'])
    expect(status).toBe(0)
    const inGroup = namesIn(stdout)
    if (inGroup.length === 0) expect(stdout).toContain('Examples:\n  ')
    for (const name of inGroup.filter(name => name !== 'help')) {
      expect((await tillkit([group, name, '--help'])).stdout).toContain('Examples:\n  tillkit ')
    }
  }
})
