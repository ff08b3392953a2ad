import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDesk } from './desk.ts'

describe('merchants', () => {
  test('are found by a part of their name or id, fifty on a page', async () => {
    const { browse, till } = await openDesk()
    for (let n = 0; n < 60; n++)
      await till.merchants.create({ id: `x${String(n).padStart(3, '0')}`, name: `Kiosk ${n}` })
    const browser = browse()
    const names = (page: string) =>
      [...page.matchAll(/<th scope="row"><a [^>]*>([^<]*)</g)].map(([, name]) => name)
    const first = await browser.open('/merchants')
    expect(names(first.page)).toHaveLength(50)
    const [, more = ''] = /href="\.\/(merchants\?after=[^"]*)">More/.exec(first.page) ?? []
    expect(names((await browser.open(`/${more}`)).page)).toHaveLength(12)
    expect(names((await browser.open('/merchants?find=KIOSK%201')).page)).toHaveLength(11)
    expect(names((await browser.open('/merchants?find=x007')).page)).toEqual(['Kiosk 7'])
    expect((await browser.open('/merchants?find=nobody')).page).toContain('None was found.')
  })

  test('one is added, and what is wrong with one is said with what was entered', async () => {
    const { browse, till } = await openDesk()
    const browser = browse()
    const wrong = await browser.submit('/merchants/new', 'create', {
      name: 'New',
      webhookUrl: 'ftp://x',
      tips: 'on',
    })
    expect(wrong.status).toBe(400)
    expect(wrong.page).toMatch(/role="alert">WebhookUrl must be/)
    expect(wrong.page).toMatch(/name="webhookUrl" type="url" value="ftp:\/\/x"/)
    expect(wrong.page).toMatch(/name="tips" value="on" checked/)
    const added = await browser.submit('/merchants/new', 'create', { id: 'new', name: 'New', tips: 'on' })
    expect([added.target, added.page.includes('The merchant was added.')]).toEqual([
      '/m-new/account?done=create',
      true,
    ])
    expect(await till.merchants.get('new')).toMatchObject({
      name: 'New',
      webhookUrl: null,
      features: { tips: true },
    })
  })

  test('one is changed, suspended and resumed', async () => {
    const { browse, till } = await openDesk()
    const browser = browse()
    await browser.submit('/m-cafe/account', 'change', {
      name: 'Corner',
      webhookUrl: 'https://shop.example/hook',
    })
    expect(await till.merchants.get('cafe')).toMatchObject({
      name: 'Corner',
      webhookUrl: 'https://shop.example/hook',
      features: { tips: true },
    })
    expect((await browser.submit('/m-cafe/account', 'suspend')).page).toContain('suspended')
    expect((await browser.submit('/m-cafe/account', 'resume')).page).toContain('takes payments again')
    expect((await till.merchants.get('cafe'))?.suspendedAt).toBeNull()
  })

  test('whose ids are dots have pages of their own', async () => {
    const { browse, till } = await openDesk()
    for (const id of ['.', '..', 'a:b']) await till.merchants.create({ id, name: `Named ${id}` })
    for (const id of ['.', '..', 'a:b']) {
      const { page, status } = await browse().open(`/m-${id}/account`)
      expect([status, page.includes(`Named ${id}`)]).toEqual([200, true])
    }
  })
})

test('a key is shown once, listed by its label, and revoked', async () => {
  const { browse, till } = await openDesk()
  const browser = browse()
  const shown = await browser.submit('/m-cafe/account', 'issueKey', {
    label: 'Counter',
    expiresInSeconds: '86400',
  })
  const [key = ''] = /tk_\w+/.exec(shown.page) ?? []
  expect((await till.authenticate(key))?.id).toBe('cafe')
  const listed = await browser.open('/m-cafe/account')
  expect([listed.page.includes('Counter'), listed.page.includes(key)]).toEqual([true, false])
  expect((await browser.submit('/m-cafe/account', 'revokeKey')).page).toContain('The key was revoked.')
  expect(await till.authenticate(key)).toBeNull()
})

test('the webhook URL is tried, and its key changed with an overlap', async () => {
  const seen: string[] = []
  const receiver = createServer((request, response) => {
    seen.push(String(request.headers.authorization))
    request.resume()
    response.writeHead(418).end('<b>short and stout</b>')
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => receiver.once('listening', resolve))
  onTestFinished(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  const { browse, till } = await openDesk({}, { webhooks: { allowHttp: true, allowPrivateAddresses: true } })
  const { port } = receiver.address() as AddressInfo
  await till.merchants.update('cafe', { webhookUrl: `http://127.0.0.1:${port}/hook` })
  const browser = browse()
  const issued = await browser.submit('/m-cafe/account', 'issueWebhookKey', { overlapSeconds: '3600' })
  expect(issued.page).toMatch(/readonly value="[^"]{20,}"/)
  const { page } = await browser.submit('/m-cafe/account', 'testWebhook')
  expect(page).toMatch(/It failed\..*418.*&#60;b&#62;short and stout/s)
  expect(seen).toEqual([expect.stringMatching(/^Service signature=[0-9a-f]{64}$/)])
})
