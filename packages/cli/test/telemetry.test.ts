import { join } from 'node:path'
import { freePort, type OwnCollector, ownCollector } from '@tillkit/servers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { child } from './child.ts'
import { scratch, tillkit } from './tillkit.ts'

let collector: OwnCollector
let remove: () => Promise<void>
let env: Record<string, string>
let key: string

beforeAll(async () => {
  collector = await ownCollector()
  let folder: string
  ;({ folder, remove } = await scratch())
  env = {
    TILLKIT_DATABASE: join(folder, 'till.db'),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  }
  await tillkit(['migrate'], { env })
  await tillkit(['merchants', 'add', 'Corner Coffee', '--id', 'coffee'], { env })
  await tillkit(['codes', 'create', 'coffee', '--code', 'counter'], { env })
  key = (await tillkit(['keys', 'issue', 'coffee'], { env })).stdout.trim()
})

afterAll(async () => {
  await remove()
  await collector.close()
})

const SERVE = ['serve', '--insecure-http', '--port', '0', '--telemetry']

/** Serves, asks for the payments, and stops it. */
async function served(more: Record<string, string> = {}) {
  const serving = child(SERVE, { ...env, ...more })
  const [, origin = ''] = await serving.says('stdout', /^Serving (http:\S+):/m)
  const authorization = `Basic ${btoa(`${key}:`)}`
  expect((await fetch(`${origin}/v1/payments`, { headers: { authorization } })).status).toBe(200)
  serving.process.kill('SIGTERM')
  return { status: await serving.ended, stderr: serving.said.stderr }
}

test('serve sends its traces and metrics, the backlog too, and the last of them when it stops', async () => {
  expect((await served()).status).toBe(0)
  expect(collector.spans().map(({ name }) => name)).toContain('GET /payments')
  expect(collector.metrics()).toEqual(
    expect.arrayContaining([
      'http.server.request.duration',
      'tillkit.payment.pending.age',
      'tillkit.delivery.pending',
    ]),
  )
  expect(collector.services()).toEqual(new Set(['tillkit']))
})

test('worker does so too, under the name that it is given', async () => {
  const working = child(['worker', '--telemetry'], { ...env, OTEL_SERVICE_NAME: 'night-worker' })
  await working.says('stdout', /^Working/m)
  working.process.kill('SIGTERM')
  expect(await working.ended).toBe(0)
  expect(collector.services()).toContain('night-worker')
})

test('a collector that is not there is in the log, and holds nothing up', async () => {
  const nobody = `http://127.0.0.1:${await freePort()}`
  const { status, stderr } = await served({ OTEL_EXPORTER_OTLP_ENDPOINT: nobody })
  expect(status).toBe(0)
  expect(stderr).toMatch(/^Stopped\. Waited for /m)
  expect(stderr).toMatch(/"msg":"telemetry: .*(not sent|ECONNREFUSED)/)
})

test('nothing is sent unless it is asked for', async () => {
  const before = collector.spans().length
  const words = SERVE.filter(word => word !== '--telemetry')
  const serving = child(words, env)
  const [, origin = ''] = await serving.says('stdout', /^Serving (http:\S+):/m)
  await fetch(`${origin}/v1/payments`)
  serving.process.kill('SIGTERM')
  expect(await serving.ended).toBe(0)
  expect(collector.spans().length).toBe(before)
})
