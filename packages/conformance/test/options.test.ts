import {
  type ComparisonOptions,
  type ConformanceOptions,
  checkConformance,
  compareInstances,
} from '@tillkit/conformance'
import { expect, test } from 'vitest'

const instance = { url: 'https://pay.example.com/v1', key: 'tk_live_0123456789abcdefghij' }

// The command's flags are shorter: --qr, --rate.
test.each(['qr', 'http', 'rate', 'toString', '__proto__'])(
  'an option %s is refused, and nothing is asked',
  async name => {
    const asked: unknown[] = []
    const fetch = async (input: unknown) => {
      asked.push(input)
      return new Response('[]')
    }
    const options = { ...instance, fetch, ...JSON.parse(`{ "${name}": "https://pay.example.com" }`) }
    const refused = new TypeError(`there is no option ${name}`)
    await expect(checkConformance(options as ConformanceOptions)).rejects.toEqual(refused)
    await expect(compareInstances({ ...options, other: instance } as ComparisonOptions)).rejects.toEqual(
      refused,
    )
    expect(asked).toEqual([])
  },
)
