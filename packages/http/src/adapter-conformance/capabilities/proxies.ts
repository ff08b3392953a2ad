import type { Checks } from '../capability.ts'
import type { Client } from '../client.ts'
import { echo } from '../handlers.ts'

const FORGED = {
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-For': '203.0.113.7',
  'X-Forwarded-Host': 'evil.example',
  'X-Real-IP': '203.0.113.7',
  Forwarded: 'for=203.0.113.7;proto=https',
}

async function seen(client: Client, headers: Record<string, string> = {}) {
  const { secure, remoteAddress } = JSON.parse((await client.send({ target: '/v1', headers })).text)
  return { secure, remoteAddress }
}

/** Who the client is, and whether it came over HTTPS. */
export function proxies({ test, expect, adapter, serving, tls }: Checks): void {
  const mounts = { '/v1': echo }
  const remoteAddress = '127.0.0.1'

  test('the connection says so, and by default no header is believed', async () => {
    await serving({ mounts }, async client => {
      expect(await seen(client)).toEqual({ secure: false, remoteAddress })
      expect(await seen(client, FORGED)).toEqual({ secure: false, remoteAddress })
    })
    await serving({ mounts, tls }, async client => {
      expect(await seen(client)).toEqual({ secure: true, remoteAddress })
      expect(await seen(client, { ...FORGED, 'X-Forwarded-Proto': 'http' })).toEqual({
        secure: true,
        remoteAddress,
      })
    })
  })

  if (!adapter.trustsProxies) return

  test('a proxy that the framework trusts is believed', () =>
    serving({ mounts, trustsLoopback: true }, async client => {
      expect(await seen(client)).toEqual({ secure: false, remoteAddress })
      expect(await seen(client, FORGED)).toEqual({ secure: true, remoteAddress: '203.0.113.7' })
      expect(await seen(client, { ...FORGED, 'X-Forwarded-Proto': 'http' })).toEqual({
        secure: false,
        remoteAddress: '203.0.113.7',
      })
    }))

  test('an address with a port or in brackets is the address', () =>
    serving({ mounts, trustsLoopback: true }, async client => {
      for (const [forwarded, address] of [
        ['203.0.113.7:4711', '203.0.113.7'],
        ['198.51.100.1, 203.0.113.7:4711', '203.0.113.7'],
        ['[2001:db8::1]:443', '2001:db8::1'],
        ['[2001:db8::1]', '2001:db8::1'],
        ['"[2001:db8::1]:443"', '2001:db8::1'],
      ] as const) {
        const { remoteAddress } = await seen(client, { 'X-Forwarded-For': forwarded })
        expect([forwarded, remoteAddress]).toEqual([forwarded, address])
      }
    }))

  test('what the client itself forged in front of it is not', () =>
    serving({ mounts, trustsLoopback: true }, async client => {
      const headers = { 'X-Forwarded-For': '198.51.100.1, 203.0.113.7' }
      expect(await seen(client, headers)).toEqual({ secure: false, remoteAddress: '203.0.113.7' })
    }))

  test('a trusted proxy that speaks TLS may have had a plain client', () =>
    serving({ mounts, tls, trustsLoopback: true }, async client => {
      expect(await seen(client)).toEqual({ secure: true, remoteAddress })
      const headers = { 'X-Forwarded-Proto': 'http' }
      expect(await seen(client, headers)).toEqual({ secure: false, remoteAddress })
    }))
}
