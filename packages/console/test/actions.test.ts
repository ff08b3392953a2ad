import { describe, expect, test, vi } from 'vitest'
import { CHIEF, multipart, openDesk, soon } from './desk.ts'

describe('every action is told of', () => {
  test('before it is done and after, with who, what, whose and with what', async () => {
    const { browse, actions, till } = await openDesk()
    await browse().submit('/m-cafe/codes', 'create', { code: 'bar', reference: 'Bar' })
    expect(actions).toMatchObject([
      { state: 'begun', operator: 'Ada', action: 'scanCodes.create', merchantId: 'cafe', error: null },
      { state: 'done', operator: 'Ada', action: 'scanCodes.create', merchantId: 'cafe', error: null },
    ])
    const [begun, done] = actions
    expect(begun?.id).toBe(done?.id)
    expect(begun?.details).toEqual({ code: 'bar', reference: 'Bar' })
    expect(begun?.remoteAddress).toBe('203.0.113.7')
    expect(Date.parse(begun?.at ?? '')).toBeLessThanOrEqual((await till.now()).getTime())
  })

  test('one that was refused has failed, with the reason', async () => {
    const { browse, actions } = await openDesk()
    const { status, page } = await browse().submit('/m-cafe/codes', 'create', { code: 'table-1' })
    expect([status, /role="alert">[^<]*table-1/.test(page)]).toEqual([409, true])
    expect(actions.map(({ state, error }) => [state, error === null])).toEqual([
      ['begun', true],
      ['failed', false],
    ])
  })

  test('with what was entered, and of much of it no half a character', async () => {
    const { browse, actions } = await openDesk()
    const reference = `a${'😀'.repeat(200)}`
    await browse().submit('/m-cafe/codes', 'create', { code: 'bar', reference })
    await browse().submit('/m-cafe/codes', 'create', { code: 'baz', reference: `${reference}${reference}` })
    const [whole, , cut] = actions.map(({ details }) => details.reference ?? '')
    expect(whole).toBe(reference)
    expect([cut?.isWellFormed(), [...(cut ?? '')].length]).toEqual([true, 255])
  })

  test('with what it was done with, whatever else a browser says of it', async () => {
    const { browse, actions, till } = await openDesk()
    await till.payments.complete(await till.payments.start({ scanCode: 'table-1', totalAmount: 100 }))
    const browser = browse()
    const seen = await browser.open('/settlements/import')
    const form = browser.formOf(seen, 'try')
    form.set('statementReference', ' S-1 ')
    const sent = await multipart(form, 'merchantId,paymentId,amount\ncafe,1,100\n')
    const { target } = await browser.press(seen, form, sent)
    await vi.waitFor(async () => expect((await browser.open(target)).page).toContain('value="import"'), soon)
    const tried = await browser.open(target)
    const settle = browser.formOf(tried, 'import')
    settle.set('statementReference', 'S-2')
    await browser.press(tried, settle)
    await vi.waitFor(
      async () => expect((await till.payments.get('cafe', 1))?.statementReference).toBe('S-1'),
      soon,
    )
    const named = actions.map(({ action, details }) => [action, details.statementReference])
    expect(named).toEqual([
      ...[1, 2].map(() => ['settlements.try', 'S-1']),
      ...[1, 2].map(() => ['settlements.import', 'S-1']),
    ])
  })

  test('never with a key in it', async () => {
    const { browse, actions, till } = await openDesk()
    const { page } = await browse().submit('/m-cafe/account', 'issueKey', { label: 'mine' })
    const [key = ''] = /tk_\w+/.exec(page) ?? []
    expect((await till.authenticate(key))?.id).toBe('cafe')
    expect(JSON.stringify(actions)).not.toContain(key)
  })
})

describe('an action goes on where onAction', () => {
  const trouble: [name: string, onAction: () => unknown][] = [
    [
      'throws',
      () => {
        throw new Error('the disk is full')
      },
    ],
    ['rejects', () => Promise.reject(new Error('the disk is full'))],
  ]
  for (const [name, onAction] of trouble) {
    test(`${name}, and is logged whole`, async () => {
      const { browse, till, logged } = await openDesk({ onAction })
      const { page } = await browse().submit('/m-cafe/account', 'suspend')
      expect(page).toContain('The merchant is suspended.')
      expect((await till.merchants.get('cafe'))?.suspendedAt === null).toBe(false)
      expect(logged).toMatchObject([
        { fields: { action: { state: 'begun', action: 'merchants.suspend' } } },
        { fields: { action: { state: 'done', operator: 'Ada' } } },
      ])
    })
  }
})

test('the page of actions shows the last of them, each as it ended', async () => {
  const { browse } = await openDesk()
  const browser = browse(CHIEF)
  await browser.submit('/m-cafe/account', 'suspend')
  await browser.submit('/m-cafe/codes', 'create', { code: 'table-1' })
  const { page } = await browser.open('/actions')
  expect(page).toContain('in memory: others have their own')
  const rows = page.split('<tr>').slice(2)
  expect(
    rows.map(row => /(scanCodes\.create|merchants\.suspend).*?(done|failed|begun)</s.exec(row)?.slice(1)),
  ).toEqual([
    ['scanCodes.create', 'failed'],
    ['merchants.suspend', 'done'],
  ])
})
