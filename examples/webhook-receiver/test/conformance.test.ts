import { checkConformance } from '@tillkit/conformance'
import { expect, test } from 'vitest'
import { openSandbox } from '../src/sandbox.ts'

test('the provider that it asks is what the API’s contract says, with no payment yet', {
  timeout: 240_000,
}, async () => {
  const { baseUrl: url, apiKey: key, close } = await openSandbox('http://127.0.0.1:9/')
  const report = await checkConformance({ url, key })
  expect(report.checks.filter(({ status }) => status === 'differs')).toEqual([])
  expect(report.checks.find(({ name }) => name === 'one-payment')?.notTried).toEqual([
    'there are no payments',
  ])
  await close()
})
