import { expect, test } from 'vitest'
import { openDesk, send } from './desk.ts'

test('the address of the mount opens itself once more, and learns from the browser where it is', async () => {
  const { handler } = await openDesk()
  const first = await send(handler, '/')
  expect([first.status, String(first.body).includes('content="0;url=?open"')]).toEqual([200, true])
  const from = async (referer: string | undefined) =>
    (await send(handler, '/?open', { headers: { referer } })).headers.Location
  expect(await from('https://pay.example.com/console')).toBe('./console/home')
  expect(await from('https://pay.example.com/console?open')).toBe('./console/home')
  expect(await from('https://pay.example.com/console/')).toBe('./home')
  expect(await from('https://pay.example.com/')).toBe('./home')
  expect(await from('https://pay.example.com/a/b:c')).toBe('./b:c/home')
  for (const strange of [undefined, '', 'https://evil.example/evil', 'nowhere', 'javascript:alert(1)']) {
    expect(await from(strange)).toBe('./home')
  }
})

test('links are relative, from every depth', async () => {
  const { browse } = await openDesk()
  const browser = browse()
  for (const path of [
    '/merchants',
    '/merchants/new',
    '/m-cafe/payments',
    '/m-cafe/account',
    '/m-cafe/codes',
  ]) {
    const { page } = await browser.open(path)
    for (const [, link = ''] of page.matchAll(/ (?:href|src|action)="([^"]*)"/g)) {
      expect([path, link, /^(?:\.\.?\/|\?|#content$|data:,$)/.test(link)]).toEqual([path, link, true])
      const { pathname } = new URL(link, `https://pay.example.com/console${path}`)
      expect([path, link, pathname.startsWith('/console/') || link.startsWith('data:')]).toEqual([
        path,
        link,
        true,
      ])
    }
  }
})
