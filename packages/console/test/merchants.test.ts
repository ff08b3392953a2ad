import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PERMISSIONS } from '@tillkit/console'
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

  test('two operators change one: each saves what they changed, and what both did is said', async () => {
    const { browse, till, actions } = await openDesk()
    const urls = ['https://old.example/', 'https://new.example/', 'https://other.example/']
    await till.merchants.update('cafe', { webhookUrl: urls[0] })
    const [ada, bob] = [browse(), browse({ name: 'Bob', permissions: PERMISSIONS })]
    const old = await bob.open('/m-cafe/account')
    const older = await bob.open('/m-cafe/account')
    await ada.submit('/m-cafe/account', 'change', { webhookUrl: urls[1] ?? '', userReferences: 'on' })

    const form = bob.formOf(old, 'change')
    form.set('name', 'Corner')
    form.delete('tips')
    const saved = await bob.press(old, form)
    expect(saved.page).toContain('The settings were saved.')
    const mixed = {
      name: 'Corner',
      webhookUrl: urls[1],
      features: { tips: false, userReferences: true, deviceLists: false },
    }
    expect(await till.merchants.get('cafe')).toMatchObject(mixed)
    expect(actions.at(-1)?.details).toEqual({ name: 'Corner', tips: '' })

    const both = bob.formOf(older, 'change')
    both.set('webhookUrl', urls[2] ?? '')
    const refused = await bob.press(older, both)
    expect([refused.status, refused.page]).toEqual([
      409,
      expect.stringMatching(
        /alert">The webhook URL was changed by somebody else meanwhile, to “https:\/\/new/,
      ),
    ])
    expect(await till.merchants.get('cafe')).toMatchObject(mixed)
    // Whoever has read that and saves again means it; what they left alone is as it is by now.
    await bob.press(refused, bob.formOf(refused, 'change'))
    expect(await till.merchants.get('cafe')).toMatchObject({ ...mixed, webhookUrl: urls[2] })
  })

  test('nothing is changed from a form that does not say what it was shown with', async () => {
    const { browse, till } = await openDesk()
    const browser = browse()
    const old = await browser.open('/m-cafe/account')
    const form = browser.formOf(old, 'change')
    for (const name of [...form.keys()]) if (name.startsWith('was-')) form.delete(name)
    await till.merchants.update('cafe', { name: 'Corner' })
    const refused = await browser.press(old, form)
    expect([refused.status, refused.page]).toEqual([
      409,
      expect.stringContaining('name="name" type="text" value="Corner"'),
    ])
    expect((await till.merchants.get('cafe'))?.name).toBe('Corner')
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
