import { merchantApi, type RateLimiter } from '@tillkit/http'
import { expect, test } from 'vitest'
import { openTill, send } from '../fixture.ts'
import { memory } from './limited.ts'

/** An API with four keys, whose lookups end when they may. */
async function scene(perAddress: RateLimiter) {
  const { till, merchant } = await openTill()
  const keys = await Promise.all(
    ['a', 'b', 'c', 'd'].map(label => till.apiKeys.issue(merchant.id, { label })),
  )
  const [a = '', b = '', c = '', d = ''] = keys.map(({ apiKey }) => apiKey)
  const held = new Map<string, PromiseWithResolvers<void>>()
  const looked: string[] = []
  const authenticate: typeof till.authenticate = async apiKey => {
    looked.push(apiKey)
    await held.get(apiKey)?.promise
    return till.authenticate(apiKey)
  }
  const api = merchantApi({ ...till, authenticate }, { rateLimits: { perAddress } })
  const ask = async (apiKey?: string) => (await send(api, '/payments', { apiKey })).status
  /** Asks with a key whose lookup goes on until `end`. */
  const hold = (apiKey: string) => {
    const lookup = Promise.withResolvers<void>()
    held.set(apiKey, lookup)
    return { answer: ask(apiKey), end: lookup.resolve }
  }
  /** Whether a key was looked up, once all that can go on has gone on. */
  const isLooked = async (apiKey: string) => {
    for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
    return looked.includes(apiKey)
  }
  return { a, b, c, d, ask, hold, isLooked }
}

test('keys that were good before go by those that wait to be looked up for the first time', async () => {
  const { a, b, c, d, ask, hold, isLooked } = await scene(memory(1))
  expect([await ask(a), await ask(b)]).toEqual([200, 200])
  const first = hold(c)
  const waiting = ask(d)
  expect([await ask(a), await ask(b)]).toEqual([200, 200])
  expect(await isLooked(d)).toBe(false)
  first.end()
  expect([await first.answer, await waiting]).toEqual([200, 200])
})

test('who waits is looked up as soon as one before has turned out well, whatever the others do', async () => {
  const { a, b, c, ask, hold, isLooked } = await scene(memory(2))
  const [slow, quick] = [hold(a), hold(b)]
  const waiting = ask(c)
  expect(await isLooked(c)).toBe(false)
  quick.end()
  expect([await quick.answer, await waiting]).toEqual([200, 200])
  slow.end()
  expect(await slow.answer).toBe(200)
})

test('who comes after a failure waits for a lookup that began before it', async () => {
  const { a, b, ask, hold, isLooked } = await scene(memory(2))
  const slow = hold(a)
  expect(await ask('wrong')).toBe(401)
  const waiting = ask(b)
  expect(await isLooked(b)).toBe(false)
  slow.end()
  expect([await slow.answer, await waiting]).toEqual([200, 200])
})

test('an address that is used up is told so at once, whoever of it is still looked up', async () => {
  const { a, b, ask, hold, isLooked } = await scene(memory(2))
  const slow = hold(a)
  expect([await ask(), await ask()]).toEqual([401, 401])
  expect(await ask(b)).toBe(429)
  expect(await isLooked(b)).toBe(false)
  slow.end()
  expect(await slow.answer).toBe(200)
})

test('what a shared limiter said before a failure was counted lets nobody in after it', async () => {
  const counted = memory(1)
  let arrives: Promise<void> | undefined
  const { hold, ask, isLooked } = await scene({
    points: 1,
    duration: 3600,
    consume: (key, points) => counted.consume(key, points),
    async get(key) {
      const known = await counted.get(key)
      await arrives
      return known
    },
  })
  const first = hold('wrong')
  expect(await isLooked('wrong')).toBe(true)
  const answer = Promise.withResolvers<void>()
  arrives = answer.promise
  const second = ask('wrong too')
  first.end()
  expect(await first.answer).toBe(401)
  answer.resolve()
  expect(await second).toBe(429)
  expect(await isLooked('wrong too')).toBe(false)
})
