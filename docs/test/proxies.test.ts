import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@tillkit/servers'
import { describe, expect, test, vi } from 'vitest'
import { type Folder, openFolder, type Running } from './folder.ts'
import { overPostgres } from './postgres.ts'
import { openProvider } from './provider.ts'
import { PROXIES, startProxy } from './proxy.ts'
import { ask } from './request.ts'

const PROCESSOR = `export const processor = { charge: () => ({ status: 'completed' }) }`
const SETUP = `
  import { storage, till } from './till.js'
  await till.merchants.create({ id: 'coffee', name: 'Corner Coffee' })
  await till.scanCodes.create('coffee', { code: 'counter' })
  console.log('key', (await till.apiKeys.issue('coffee')).apiKey)
  await storage.close()
`

/** Two processes of the page's host, and a key of their merchant. */
async function twoHosts(folder: Folder, url: string) {
  const { owner, host } = await openProvider(folder, url)
  await folder.write('processor.js', PROCESSOR)
  await folder.write('setup.js', SETUP)
  expect(await folder.node(['migrate.js'], owner).ended).toMatchObject({ code: 0 })
  const [, apiKey = ''] = await folder.node(['setup.js'], host).said(/key (\w+)/)
  const ports = [await freePort(), await freePort()]
  const REDIS_URL = `redis://127.0.0.1:${await freePort()}` // nobody: limits are counted in each process
  const env = { ...host, REDIS_URL, QR_BASE_URL: 'https://pay.example.com', NODE_ENV: 'production' }
  const start = async (port = 0): Promise<Running> => {
    const running = folder.node(['host.js'], { ...env, PORT: String(port) })
    await running.said(/ready/)
    return running
  }
  const hosts = await Promise.all(ports.map(start))
  return { apiKey, ports, hosts, start }
}

overPostgres(url => {
  describe.each(PROXIES)('behind $title', kind => {
    test.skipIf(!kind.installed)(
      'requests arrive as they were sent, plain ones are refused, and hosts are replaced unseen',
      { timeout: 300_000 },
      async () => {
        const folder = await openFolder()
        const { apiKey, ports, hosts, start } = await twoHosts(folder, url)
        const proxy = await startProxy(kind, folder, ports)
        const headers = { authorization: `Basic ${btoa(`${apiKey}:`)}` }
        const list = () => ask('https', proxy.https, '/v1/payments', { headers })
        const ended = proxy.running.ended.then(({ output }) => Promise.reject(new Error(output)))
        ended.catch(() => {}) // at its end it ends
        const listed = async () => expect((await list()).status).toBe(200)
        await Promise.race([vi.waitFor(listed, { timeout: 120_000 }), ended])

        const plain = [{ headers }, { headers: { ...headers, 'x-forwarded-proto': 'https' } }]
        for (const request of plain) {
          const refused = await ask('http', proxy.http, '/v1/payments', request)
          expect([refused.status, JSON.parse(refused.body).code]).toEqual([403, 'https_required'])
        }

        const query = 'id=a%20b%2Bc&amount=100&x=1%2F2&y=%C3%A9+z'
        const scanned = await ask('https', proxy.https, `/qr/counter?${query}`)
        expect(scanned.status).toBe(303)
        expect(scanned.headers.location).toContain(`?${query}`)
        expect((await ask('https', proxy.https, `/qr/counter.svg?${query}`)).status).toBe(200)

        // One after another is replaced, while a client goes on.
        const statuses: number[] = []
        let replacing = true
        const client = (async () => {
          while (replacing) {
            statuses.push((await list()).status)
            await sleep(20) // fewer than the 100 a second that a key may ask
          }
        })()
        for (const [index, host] of hosts.entries()) {
          expect(await host.stop('SIGTERM')).toMatchObject({ code: 0, signal: null })
          const cashUp = await ask('https', proxy.https, '/v1/cash_ups', { method: 'POST', headers })
          expect(cashUp.status).toBe(200)
          hosts[index] = await start(ports[index])
        }
        replacing = false
        await client
        expect(new Set(statuses)).toEqual(new Set([200]))

        // Whoever says that he is somebody else each time is counted all the same: 60 in each of the two processes.
        const strangers: number[] = []
        for (let n = 0; n < 122; n++) {
          const forged = { 'x-forwarded-for': `203.0.113.${n}` }
          strangers.push((await ask('https', proxy.https, '/v1/payments', { headers: forged })).status)
        }
        expect(strangers).toContain(429)

        for (const host of hosts) expect(await host.stop('SIGINT')).toMatchObject({ code: 0, signal: null })
        await proxy.running.stop('SIGTERM')
      },
    )
  })
})
