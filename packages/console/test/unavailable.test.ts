import { CommitUnknownError, DatabaseError } from '@tillkit/storage'
import { expect, test, vi } from 'vitest'
import { openDesk } from './desk.ts'

const away = new DatabaseError('PostgreSQL at db.internal cannot be reached')
const unknown = () => new CommitUnknownError(new Error('hunter2'))

/** An operator who has a form before them, and presses it. */
async function withForm(page: string, action: string) {
  const desk = await openDesk()
  const browser = desk.browse()
  const seen = await browser.open(page)
  const form = browser.formOf(seen, action)
  return { ...desk, browser, press: () => browser.press(seen, form) }
}

test('what a database that failed has undone is done by the same form, sent again', async () => {
  const { till, press, actions, logged } = await withForm('/m-cafe/account', 'issueKey')
  vi.spyOn(till.apiKeys, 'issue').mockRejectedValueOnce(away)
  const failed = await press()
  expect([failed.status, failed.response.headers['Retry-After']]).toEqual([503, '2'])
  expect(failed.page).toContain('was not done to its end. Reload this page')
  expect(failed.page).not.toContain('db.internal')
  expect(logged).toMatchObject([{ fields: { err: away } }])
  expect(actions.at(-1)).toMatchObject({ state: 'failed', error: expect.stringContaining('database failed') })
  expect((await press()).page).toMatch(/tk_\w+/)
  expect((await press()).status).toBe(409)
  expect(await till.apiKeys.list('cafe')).toHaveLength(1)
})

test('what may have taken place is not done twice', async () => {
  const { till, press, actions } = await withForm('/m-cafe/account', 'issueKey')
  const { issue } = till.apiKeys
  vi.spyOn(till.apiKeys, 'issue').mockImplementationOnce(async (...given) => {
    await issue(...given)
    throw unknown()
  })
  const failed = await press()
  expect([failed.status, failed.page]).toEqual([503, expect.stringContaining('this form does nothing more')])
  expect(actions.at(-1)).toMatchObject({ error: expect.stringContaining('whether it took place is unknown') })
  expect((await press()).status).toBe(409)
  expect(await till.apiKeys.list('cafe')).toHaveLength(1)
})

test('a period of which nobody knows whether it ended is ended once, by the same form', async () => {
  const { till, press } = await withForm('/m-cafe/cash-ups', 'end')
  const { create } = till.cashUps
  vi.spyOn(till.cashUps, 'create').mockImplementationOnce(async (...given) => {
    await create(...given)
    throw unknown()
  })
  const failed = await press()
  expect([failed.status, failed.page]).toEqual([503, expect.stringContaining('it takes place once')])
  expect((await press()).page).toContain('The period was ended.')
  expect((await till.cashUps.list('cafe')).total).toBe(1)
})

test('what went wrong in any other way is not done by the same form again', async () => {
  const { till, press } = await withForm('/m-cafe/account', 'suspend')
  vi.spyOn(till.merchants, 'suspend').mockRejectedValueOnce(new Error('hunter2'))
  expect([(await press()).status, (await press()).status]).toEqual([500, 409])
})

test('a page that cannot be read says to look again', async () => {
  const { till, browse } = await openDesk()
  vi.spyOn(till.merchants, 'get').mockRejectedValueOnce(away)
  const { status, page } = await browse().open('/m-cafe/account')
  expect([status, page]).toEqual([503, expect.stringContaining('Look again in a moment.')])
})
