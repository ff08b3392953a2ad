import { checkConformance, compareInstances } from '@tillkit/conformance'
import { expect, test } from 'vitest'
import { changed, eachPayment, underWords } from './faults/plant.ts'
import { openScene } from './scene.ts'

const WORDS = { scanCode: 'snapCode', scanCodeReference: 'snapCodeReference', cash_ups: 'closings' }
const requestsPerSecond = 5000

test('two instances that answer alike have no differences', async () => {
  const { url, oldUrl, key } = await openScene()
  const report = await compareInstances({ url, key, requestsPerSecond, other: { url: oldUrl, key } })
  expect(report.checks.filter(({ status }) => status !== 'passed')).toEqual([])
  expect(report).toMatchObject({ conforms: true, comparedWith: oldUrl })
})

test('what is another there is found, with both requests', async () => {
  const { url, oldUrl, key } = await openScene({
    old: handler =>
      changed(({ headers, status }) => {
        if (status === 404) headers['Content-Type'] = 'text/html'
      })(eachPayment(payment => (payment.id === 130 ? { ...payment, totalAmount: 1 } : undefined))(handler)),
  })
  const { checks } = await compareInstances({ url, key, requestsPerSecond, other: { url: oldUrl, key } })
  const found = checks.filter(({ status }) => status === 'differs')
  expect(found.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['compare-pages', 'compare-payments', 'compare-refusals']),
  )
  expect(found.find(({ name }) => name === 'compare-payments')?.differences).toEqual([
    {
      what: 'totalAmount is 1130, of the other 1',
      request: `curl -i -u "$KEY:" -H 'origin: https://shop.example.com' ${url}/payments/130\n    curl -i -u "$OTHER_KEY:" -H 'origin: https://shop.example.com' ${oldUrl}/payments/130`,
    },
  ])
})

test('an old system with words of its own is compared, and tried, in those of the contract', async () => {
  const { url, oldUrl, key } = await openScene({ old: underWords(WORDS) })
  const other = { url: oldUrl, key, vocabulary: WORDS }
  const { checks } = await compareInstances({ url, key, requestsPerSecond, other })
  expect(checks.filter(({ status }) => status === 'differs')).toEqual([])
  const only = ['filter-scanCode', 'periods', 'pages-of-cash-ups', 'one-payment']
  expect((await checkConformance({ ...other, requestsPerSecond, only })).conforms).toBe(true)
  expect((await checkConformance({ url: oldUrl, key, requestsPerSecond, only })).conforms).toBe(false)
})
