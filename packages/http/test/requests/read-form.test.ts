import { type HttpRequest, readForm } from '@tillkit/http'
import { expect, test } from 'vitest'
import { request } from '../fixture.ts'

/** A form that was posted to `toFetch`, as a handler gets it. */
const posted = (body: string): HttpRequest =>
  request('/', { method: 'POST', body: async () => new TextEncoder().encode(body) })

test('a form is what URLSearchParams reads', async () => {
  const form = await readForm(posted('a=1&b=caf%C3%A9+%26&a=2&=&c'))
  expect([...form]).toEqual([
    ['a', '1'],
    ['b', 'café &'],
    ['a', '2'],
    ['', ''],
    ['c', ''],
  ])
})

test('it says how much of the body it wants: 16 KiB, or what its handler says', async () => {
  const asked: unknown[] = []
  const listening = request('/', {
    body: async limits => {
      asked.push(limits)
      return new Uint8Array()
    },
  })
  await readForm(listening)
  await readForm(listening, { bytes: 5, seconds: 2 })
  expect(asked).toEqual([
    { bytes: 16_384, seconds: undefined },
    { bytes: 5, seconds: 2 },
  ])
})

test('more fields than it has use for are refused, whatever is in them', async () => {
  expect((await readForm(posted('a&'.repeat(99)))).size).toBe(99)
  expect((await readForm(posted('a=1&b=2'), { fields: 2 })).size).toBe(2)
  for (const [body, fields] of [
    ['a&'.repeat(100), undefined],
    ['&'.repeat(100), undefined],
    ['%26=1&'.repeat(8000), undefined],
    ['a=1&b=2&c=3', 2],
  ] as const) {
    await expect(readForm(posted(body), { fields })).rejects.toMatchObject({
      code: 'invalid_input',
      status: 400,
      message: expect.stringContaining(`more than ${fields ?? 100} fields`),
    })
  }
})
