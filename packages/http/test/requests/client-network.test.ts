import { isIP } from 'node:net'
import { clientNetwork, ipAddress } from '@tillkit/http'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test('an address is read whatever a proxy wrote around it', () => {
  const port = fc.constantFrom('', ':', ':0', ':443', ':65535')
  const v4 = fc.tuple(fc.ipV4(), port).map(([ip, at]) => [ip, `${ip}${at}`] as const)
  const v6 = fc.tuple(fc.ipV6(), port).map(([ip, at]) => [ip, `[${ip}]${at}`] as const)
  const around = fc.constantFrom(
    (text: string) => text,
    (text: string) => `"${text}"`,
    (text: string) => ` ${text} `,
    (text: string) => ` "${text}" `,
    (text: string) => `" ${text} "`,
  )
  fc.assert(
    fc.property(fc.oneof(v4, v6), around, ([ip, written], write) => {
      expect(ipAddress(write(written))).toBe(ip)
      expect(clientNetwork(write(written))).toBe(clientNetwork(ip))
    }),
  )
})

test('what is no address is none, and harms nothing', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[[\]"0-9a-f.:% ]{0,40}$/)),
      text => {
        const address = ipAddress(text)
        expect(address === undefined || isIP(address) !== 0).toBe(true)
        expect(clientNetwork(text) === null).toBe(address === undefined)
      },
    ),
    { numRuns: 1000 },
  )
  for (const text of [undefined, '', ' ', 'unknown', '1'.repeat(1_000_000), '['.repeat(1_000_000)]) {
    expect([ipAddress(text), clientNetwork(text)]).toEqual([undefined, null])
  }
})
