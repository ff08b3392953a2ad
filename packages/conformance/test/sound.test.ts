import { checkConformance } from '@tillkit/conformance'
import { expect, test } from 'vitest'
import { fill } from './fill.ts'
import { openScene } from './scene.ts'

const requestsPerSecond = 5000
const notPassed = async (checking: ReturnType<typeof checkConformance>) =>
  (await checking).checks
    .filter(({ status }) => status !== 'passed')
    .map(({ name, status }) => `${name} ${status}`)

test('cash ups that a run before has made do not hide where the newest payment is', async () => {
  const { url, key } = await openScene()
  const only = ['creating-cash-ups']
  for (const _ of [1, 2]) {
    const { differing, checks } = await checkConformance({
      url,
      key,
      only,
      destructive: true,
      requestsPerSecond,
    })
    const differences = checks.flatMap(({ differences }) => differences)
    expect([differing, differences]).toEqual([0, []])
  }
})

test('a sound instance has no differences, and all is tried that can be', async () => {
  const posts: string[] = []
  const { url, qrUrl, key } = await openScene({
    listener: listener => (request, response) => {
      if (request.method === 'POST' && request.url?.startsWith('/v1/cash_ups')) posts.push(request.url)
      listener(request, response)
    },
  })
  expect(await notPassed(checkConformance({ url, qrUrl, key, requestsPerSecond }))).toEqual([
    'creating-cash-ups not_tried',
    'https not_tried',
    'throttling not_tried',
  ])
  expect(posts).toEqual([])
})

test('one with lists of devices, and cash ups made, has none', async () => {
  const { url, key } = await openScene({ features: { deviceLists: true, tips: false } })
  const report = await checkConformance({ url, key, requestsPerSecond, destructive: true })
  expect(report.checks.filter(({ status }) => status === 'differs')).toEqual([])
  expect(report.checks.find(({ name }) => name === 'creating-cash-ups')?.status).toBe('passed')
})

test('of an empty account it is said what there was nothing to try on', async () => {
  const { url, qrUrl, key } = await openScene({ fill: async () => {} })
  const { checks, conforms } = await checkConformance({ url, qrUrl, key, requestsPerSecond })
  expect(conforms).toBe(true)
  const whyNot = (name: string) => checks.find(check => check.name === name)
  expect(whyNot('one-payment')).toMatchObject({ status: 'not_tried', notTried: ['there are no payments'] })
  expect(whyNot('periods')?.notTried).toEqual(['there are no cash ups'])
  expect(whyNot('qr-images')?.notTried).toEqual(['there is no payment to take a scan code from'])
})

test('payments that come in meanwhile are no differences', async () => {
  const { url, key, till } = await openScene({
    fill: async (till, clock) => {
      await fill(till, clock)
      clock.now = new Date()
    },
    listener: listener => async (request, response) => {
      const payment = await till.payments.start({ scanCode: 'counter', totalAmount: 100 })
      await till.payments.complete(payment)
      listener(request, response)
    },
  })
  const only = [
    'pages-of-payments',
    'filter-scanCode',
    'filter-dates',
    'one-payment',
    'slashes-and-heads',
    'periods',
  ]
  const report = await checkConformance({ url, key, requestsPerSecond, only })
  expect(report.checks.filter(({ status }) => status === 'differs')).toEqual([])
})

test('plain HTTP that is refused is found right, and the key is not sent there', async () => {
  const heard: (string | undefined)[] = []
  const { url, key } = await openScene({
    https: 'required',
    listener: listener => (request, response) => {
      heard.push(request.headers.authorization)
      listener(request, response)
    },
  })
  const { checks, conforms } = await checkConformance({ url, key, requestsPerSecond })
  expect([conforms, checks.find(({ name }) => name === 'https')?.status]).toEqual([true, 'passed'])
  expect(heard.filter(header => header !== undefined)).toEqual([])
})
