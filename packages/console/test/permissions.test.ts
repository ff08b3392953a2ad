import { type Operator, PERMISSIONS } from '@tillkit/console'
import { describe, expect, test } from 'vitest'
import { CHIEF, openDesk } from './desk.ts'

const OF_CAFE = ['/payments', '/payments/1', '/find?q=x', '/codes', '/webhooks', '/account'].map(
  path => `/m-cafe${path}`,
)
const OF_ALL = ['/merchants/new', '/webhooks', '/unresolved']
const ACTIONS: [path: string, action: string, permission: string, fields?: Record<string, string>][] = [
  ['/m-cafe/account', 'change', 'merchants', { name: 'Other' }],
  ['/m-cafe/account', 'suspend', 'merchants'],
  ['/m-cafe/account', 'issueKey', 'keys'],
  ['/m-cafe/account', 'issueWebhookKey', 'keys'],
  ['/m-cafe/account', 'testWebhook', 'webhooks'],
  ['/m-cafe/codes', 'create', 'codes', { code: 'another' }],
  ['/m-cafe/codes', 'suspend', 'codes'],
  ['/m-cafe/webhooks', 'redeliverSince', 'webhooks', { since: '2026-01-01T00:00' }],
  ['/merchants/new', 'create', 'merchants', { name: 'Third' }],
  ['/unresolved', 'ask', 'resolve'],
]

async function furnished() {
  const desk = await openDesk(
    { qrBaseUrl: 'https://pay.example.com', lookup: () => ({ status: 'unknown' }) },
    { webhooks: { allowHttp: true, allowPrivateAddresses: true } },
  )
  await desk.till.merchants.update('cafe', { webhookUrl: 'http://127.0.0.1:9/hook' })
  await desk.till.payments.complete(await desk.till.payments.start({ scanCode: 'table-1', totalAmount: 100 }))
  return desk
}

describe('who may only read', () => {
  const reader: Operator = { name: 'Rita', permissions: ['read'] }

  test('sees every page, and no form that does anything', async () => {
    const { browse } = await furnished()
    const browser = browse(reader)
    for (const path of [...OF_CAFE, '/merchants', '/webhooks', '/unresolved']) {
      const { status, page } = await browser.open(path)
      expect([path, status, page.includes('method="post"')]).toEqual([path, 200, false])
    }
    for (const path of ['/merchants/new', '/actions']) expect((await browser.open(path)).status).toBe(404)
  })

  test('and does nothing by a form from when more was allowed', async () => {
    const desk = await furnished()
    for (const [path, action, , fields] of ACTIONS) {
      const browser = desk.browse({ ...reader, permissions: PERMISSIONS })
      const seen = await browser.open(path)
      const form = browser.formOf(seen, action)
      for (const [name, value] of Object.entries(fields ?? {})) form.set(name, value)
      desk.browse(reader)
      expect([path, action, (await browser.press(seen, form)).status]).toEqual([path, action, 404])
    }
    expect(desk.actions).toEqual([])
  })
})

describe('each action asks for its own permission', () => {
  for (const [path, action, permission, fields] of ACTIONS) {
    test(`${action} of ${path} for ${permission}`, async () => {
      const desk = await furnished()
      const others = PERMISSIONS.filter(other => other !== permission)
      const without = desk.browse({ name: 'Without', permissions: others })
      const { page } = await without.open(path)
      expect(page).not.toContain(`name="action" value="${action}"`)
      const withIt = desk.browse({ name: 'With', permissions: ['read', permission as 'read'] })
      const { status } = await withIt.submit(path, action, fields)
      expect(status).toBe(200)
      expect(desk.actions.map(({ state, operator }) => [state, operator])).toEqual([
        ['begun', 'With'],
        ['done', 'With'],
      ])
    })
  }
})

describe('who may see one merchant', () => {
  const own: Operator = { name: 'Mo', permissions: PERMISSIONS, merchants: ['books'] }

  test('begins in its own portal, and is shown no other', async () => {
    const { browse } = await furnished()
    const browser = browse(own)
    const home = await browser.open('/home')
    expect([home.status, home.target]).toEqual([200, '/m-books/today'])
    expect(home.page).not.toMatch(/Merchants<|Unresolved|Corner/)
    for (const path of [...OF_CAFE, ...OF_ALL]) {
      expect([path, (await browser.open(path)).status]).toEqual([path, 404])
    }
    const { page } = await browser.open('/merchants')
    expect([page.includes('Harbour Books'), page.includes('Corner')]).toEqual([true, false])
    expect((await browser.open('/merchants?find=corner')).page).not.toContain('Corner Café')
  })

  test('sees of the actions those of its own', async () => {
    const { browse } = await furnished()
    await browse(CHIEF).submit('/m-cafe/account', 'suspend')
    await browse(CHIEF).submit('/merchants/new', 'create', { name: 'Third' })
    await browse(own).submit('/m-books/account', 'issueKey', { label: 'mine' })
    const { page } = await browse(own).open('/actions')
    expect([page.includes('keys.issue'), page.includes('merchants.')]).toEqual([true, false])
    expect((await browse(CHIEF).open('/actions')).page).toContain('merchants.suspend')
  })

  test('changes no code of another, though it knows it', async () => {
    const { browse, till } = await furnished()
    const browser = browse(own)
    const seen = await browser.open('/m-books/codes')
    const form = browser.formOf(seen, 'suspend')
    form.set('code', 'table-1')
    const { status } = await browser.press(seen, form)
    expect([status, (await till.scanCodes.get('table-1'))?.suspendedAt]).toEqual([404, null])
  })
})

test('who may nothing sees nothing', async () => {
  const { browse } = await furnished()
  for (const operator of [
    { name: 'Nil', permissions: [] },
    { name: 'Nil', permissions: PERMISSIONS, merchants: [] },
  ]) {
    const browser = browse(operator)
    for (const path of [...OF_CAFE, ...OF_ALL]) {
      const { status, page } = await browser.open(path)
      expect([path, status, /Corner|cafe<\/|table-1/.test(page)]).toEqual([path, 404, false])
    }
  }
})

test('of whom authorize says nothing may read, or what the console says', async () => {
  const { browse } = await openDesk()
  const { page } = await browse({ name: 'Plain' }).open('/m-cafe/account')
  expect(page).not.toContain('method="post"')
  const other = await openDesk({ permissions: ['read', 'keys'] })
  expect((await other.browse({ name: 'Plain' }).open('/m-cafe/account')).page).toContain('value="issueKey"')
})
