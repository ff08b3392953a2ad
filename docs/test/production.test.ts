import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePort } from '@tillkit/servers'
import { expect, onTestFinished, test } from 'vitest'
import { openBank } from './bank.ts'
import { type Folder, openFolder } from './folder.ts'
import { blocksOf, fileOf } from './page.ts'
import { overPostgres } from './postgres.ts'
import { asAdministrator, openProvider } from './provider.ts'
import { ask } from './request.ts'

const SETUP = `
  import { storage, till } from './till.js'
  await till.merchants.create({ id: 'coffee', name: 'Corner Coffee', webhookUrl: process.env.HOOK })
  await till.merchants.issueWebhookKey('coffee')
  await till.scanCodes.create('coffee', { code: 'counter' })
  for (const totalAmount of [1200, 1299]) await till.payments.start({ scanCode: 'counter', totalAmount })
  await storage.close()
`

/** A merchant's receiver, and the Authorization header of the first webhook that it was sent. */
async function openReceiver() {
  const { promise: signature, resolve } = Promise.withResolvers<string | undefined>()
  const server = createServer((request, response) => {
    resolve(request.headers.authorization)
    request.resume()
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { signature, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

async function migrated(folder: Folder, owner: { DATABASE_URL: string }): Promise<void> {
  expect(await folder.node(['migrate.js'], owner).ended).toMatchObject({ code: 0, output: '' })
}

/** What the page says that is answered. */
const HEALTHY = blocksOf('production.md')
  .find(({ language }) => language === 'json')
  ?.text.trim()

const hasRedis = spawnSync('redis-server', ['--version']).status === 0

overPostgres(url => {
  test('the owner migrates, and the host may not but for nothing', { timeout: 300_000 }, async () => {
    const folder = await openFolder()
    const { owner, host } = await openProvider(folder, url)
    const REDIS_URL = `redis://127.0.0.1:${await freePort()}` // nobody
    const PORT = String(await freePort())
    const env = { ...host, REDIS_URL, PORT, QR_BASE_URL: 'https://pay.example.com', DRAIN_SECONDS: '5' }
    const unready = (port: number) => ask('http', port, '/health/readyz')

    const early = await folder.node(['host.js'], env).ended
    expect([early.code, early.output]).toEqual([1, expect.stringContaining('may not do this')])
    for (let times = 0; times < 2; times++) await migrated(folder, owner)
    const running = folder.node(['host.js'], env)
    await running.said(/ready/)
    const ready = await ask('http', Number(PORT), '/health/readyz')
    expect([ready.status, ready.body]).toEqual([200, HEALTHY])
    const headers = { connection: 'keep-alive' }
    const kept = await ask('http', Number(PORT), '/health/livez', { headers })
    expect(kept.headers['keep-alive']).toBe('timeout=130')
    running.child.kill('SIGTERM')
    await expect.poll(async () => (await unready(Number(PORT))).status, { timeout: 60_000 }).toBe(503)
    expect((await ask('http', Number(PORT), '/health/livez')).status).toBe(200)
    expect(await running.ended).toMatchObject({ code: 0, signal: null })

    const hurried = folder.node(['host.js'], { ...env, DRAIN_SECONDS: '600' })
    await hurried.said(/ready/)
    hurried.child.kill('SIGTERM')
    await expect.poll(async () => (await unready(Number(PORT))).status, { timeout: 60_000 }).toBe(503)
    expect(await hurried.stop('SIGINT')).toMatchObject({ code: null, signal: 'SIGINT' })
    const alteration = asAdministrator(host.DATABASE_URL, client =>
      client.query('alter table tillkit.tillkit_payments add column mine text'),
    )
    await expect(alteration).rejects.toThrow('must be owner')
  })

  test('the worker delivers and reconciles, and what is left is tidied up daily', {
    timeout: 300_000,
  }, async () => {
    const [folder, bank, receiver] = [await openFolder(), await openBank(), await openReceiver()]
    const { owner, host, administrator } = await openProvider(folder, url)
    const env = { ...host, BANK_URL: bank.url, HOOK: receiver.url }
    // The page's till sends to https and public addresses alone; this receiver is neither.
    const local = 'webhooks: { allowHttp: true, allowPrivateAddresses: true }, secrets:'
    await folder.write('till.js', fileOf('production.md', 'till.js').replace('secrets:', local))
    await folder.write('setup.js', SETUP)
    await migrated(folder, owner)
    expect(await folder.node(['setup.js'], env).ended).toMatchObject({ code: 0 })
    // Charged by a process that died before it could say so, two days ago.
    await fetch(`${bank.url}/charges/coffee/1`, { method: 'PUT', body: '{"cents":1200}' })
    const age = (table: string, column: string, time: string) =>
      asAdministrator(administrator, client =>
        client.query(`update tillkit.${table} set ${column} = ${column} - interval '${time}'`),
      )
    await age('tillkit_payments', 'date', '2 days')

    const worker = folder.node(['worker.js'], env)
    expect(await receiver.signature).toMatch(/^Service signature=[0-9a-f]{64}$/)
    const { output, ...ended } = await worker.stop('SIGINT')
    expect(ended).toEqual({ code: 0, signal: null })
    expect(JSON.parse(output.trim().split('\n').at(-1) ?? '')).toMatchObject({ givenUp: 0, limitSeconds: 25 })

    await age('tillkit_deliveries', 'last_attempt_at', '100 days')
    const webhooks = { pending: 1, exhausted: 0, pausedEndpoints: 0 }
    for (const [unknown, stale, purged] of [
      [1, 1, 1],
      [0, 0, 0],
    ]) {
      const daily = await folder.node(['daily.js'], env).ended
      expect(daily.code).toBe(0)
      expect(JSON.parse(daily.output)).toMatchObject({ unknown, stale, purged, errors: 0, webhooks })
    }
    expect(bank.charges).toEqual(['/charges/coffee/1'])
  })

  // Where a machine stalls, requests are rightly counted in memory: once more.
  const patient = { timeout: 300_000, retry: 2 }
  test.skipIf(!hasRedis)(
    `processes share their limits in Redis${hasRedis ? '' : ', which is not installed'}`,
    patient,
    async () => {
      const folder = await openFolder()
      const { owner, host } = await openProvider(folder, url)
      const port = await freePort()
      const redis = folder.run('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', '--save', ''])
      await redis.said(/Ready to accept connections/)
      await migrated(folder, owner)
      const env = { ...host, REDIS_URL: `redis://127.0.0.1:${port}`, QR_BASE_URL: 'https://pay.example.com' }
      const ports = [await freePort(), await freePort()]
      const hosts = ports.map(of => folder.node(['host.js'], { ...env, PORT: String(of) }))
      await Promise.all(hosts.map(running => running.said(/ready/)))

      const statuses: number[] = []
      for (let n = 0; n < 61; n++) {
        const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' }
        statuses.push((await ask('http', ports[n % 2] ?? 0, '/v1/payments', { headers })).status)
      }
      expect(statuses).toEqual([...Array.from({ length: 60 }, () => 401), 429])
      for (const running of hosts) expect(await running.stop('SIGINT')).toMatchObject({ code: 0 })
    },
  )
})
