import { CannotTry, checkConformance } from '@tillkit/conformance'
import type { HttpResponse } from '@tillkit/http'
import { expect, test } from 'vitest'
import { error } from './faults/plant.ts'
import { openScene } from './scene.ts'

const LIMITS = { 'RateLimit-Policy': '"key";q=10;w=1', RateLimit: '"key";r=0;t=1' }
const TOLD = {
  'Access-Control-Expose-Headers': [
    ...['X-Total', 'X-Total-Pages', 'X-Page', 'X-Per-Page', 'X-Next-Page', 'X-Prev-Page', 'X-Offset'],
    ...['Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id'],
  ].join(', '),
}

/** Tries an instance of which every tenth answer, or each, from some on is this one; the others say how the limit stands. */
async function tryThrottled(
  headers: Record<string, string>,
  { patienceSeconds = 90, from = 20, every = 10 } = {},
) {
  let asked = 0
  const throttled = (): HttpResponse =>
    error(429, 'rate_limited', { ...TOLD, ...headers, 'X-Request-Id': `throttled-${asked}` })
  const { url, key } = await openScene({
    api: handler => async request => {
      asked += 1
      if (asked >= from && (asked - from) % every === 0) return throttled()
      const response = await handler(request)
      const limits = { ...LIMITS, RateLimit: `"key";r=${10 - (asked % 10)};t=1` }
      return { ...response, headers: { ...response.headers, ...limits } }
    },
  })
  const only = ['one-payment', 'tips-in-total']
  const report = await checkConformance({ url, key, only, requestsPerSecond: 5000, patienceSeconds })
  const check = (name: string) => report.checks.find(check => check.name === name)
  return { ...report, check, differing: report.checks.filter(({ status }) => status === 'differs') }
}

test('a 429 that says when is waited for and held to what it has to say', async () => {
  const { differing, check } = await tryThrottled({ ...LIMITS, 'Retry-After': '1' })
  expect(differing).toEqual([])
  expect(check('one-payment')?.status).toBe('passed')
  expect(check('retry-after')?.requests).toBeGreaterThan(0)
})

test.each([
  ['Retry-After', LIMITS],
  ['RateLimit', { 'Retry-After': '1' }],
])('a 429 without %s differs', async (missing, headers) => {
  const { check } = await tryThrottled(headers)
  expect(check('retry-after')?.status).toBe('differs')
  expect(check('retry-after')?.differences[0]?.what).toContain(missing)
})

test('what asks to wait for longer than a run may is said, and is no difference', async () => {
  const { differing, check, conforms, cutShort } = await tryThrottled(
    { ...LIMITS, 'Retry-After': '61' },
    { patienceSeconds: 60 },
  )
  expect([differing, conforms, cutShort]).toEqual([[], false, true])
  expect(check('one-payment')).toMatchObject({
    status: 'not_tried',
    notTried: ['the instance asks to wait 61 s, longer than this run may'],
  })
})

test('who says 0 seconds again and again is not asked for ever', async () => {
  const asked = tryThrottled({ ...LIMITS, 'Retry-After': '0' }, { patienceSeconds: 5, every: 1 })
  expect(await asked).toMatchObject({ conforms: false, cutShort: true })
  const never = tryThrottled({ ...LIMITS, 'Retry-After': '-5' }, { patienceSeconds: 5, every: 1 })
  expect((await never).check('retry-after')?.status).toBe('differs')
})

test('a check that was begun ends when the time of its run has long been over', async () => {
  let slow = false
  const { url, key } = await openScene({
    api: handler => async request => {
      if (slow) await new Promise(resolve => setTimeout(resolve, 500))
      return handler(request)
    },
  })
  const onCheck = () => {
    slow = true
  }
  const limits = { requestsPerSecond: 5000, maxSeconds: 1, timeoutSeconds: 2 }
  const only = ['filter-scanCode', 'filter-merchantReference']
  const report = await checkConformance({ url, key, only, onCheck, ...limits })
  expect(report.differing).toBe(0)
  expect(report.cutShort).toBe(true)
  expect(report.checks.find(({ name }) => name === 'filter-scanCode')).toMatchObject({
    status: 'not_tried',
    notTried: ['the time of this run was over'],
  })
})

test('an instance that wants no questions at all cannot be tried', async () => {
  for (const from of [1, 4, 9]) {
    const trying = tryThrottled({ ...LIMITS, 'Retry-After': '61' }, { patienceSeconds: 60, from })
    await expect(trying).rejects.toThrow(CannotTry)
  }
})

test('after its time a run begins no more checks, and says so', async () => {
  const { url, key } = await openScene()
  const begun: string[] = []
  const onCheck = (title: string) => void begun.push(title)
  const report = await checkConformance({ url, key, requestsPerSecond: 5000, maxSeconds: 0.001, onCheck })
  expect([begun, report.conforms, report.cutShort]).toEqual([[], false, true])
  expect(report.checks.find(({ name }) => name === 'one-payment')).toMatchObject({
    status: 'not_tried',
    notTried: ['the time of this run was over'],
  })
})
