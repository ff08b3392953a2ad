import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownCollector } from '@tillkit/servers'
import { expect, onTestFinished, test, vi } from 'vitest'

test('with a collector its traces go there, from the page to the webhook, and its metrics', async () => {
  const collector = await ownCollector()
  onTestFinished(() => collector.close())
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-demo-telemetry-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const env = {
    ...{ PATH, NODE_COMPILE_CACHE },
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '200',
  }
  const words = ['--conditions=@tillkit/source', join(import.meta.dirname, '../start.js')]
  const flags = ['--port', '0', '--data', join(folder, 'demo.db')]
  const demo = spawn(process.execPath, [...words, ...flags], { env })
  onTestFinished(() => void demo.kill('SIGKILL'))
  const ended = once(demo, 'close')
  let said = ''
  for (const stream of [demo.stdout, demo.stderr])
    stream.setEncoding('utf8').on('data', text => (said += text))

  const long = { timeout: 120_000, interval: 200 }
  await vi.waitFor(() => expect(said).toContain(`Traces and metrics go to ${collector.url}\n`), long)
  const [, page = ''] = /^of any amount +(\S+)$/m.exec(said) ?? []
  expect((await fetch(page)).status).toBe(200)
  const spans = (name: string) => collector.spans().filter(span => span.name === name)
  await vi.waitFor(() => {
    const outcomes = new Set(spans('tillkit.payment complete').map(({ spanId }) => spanId))
    const links = spans('tillkit.delivery attempt').flatMap(attempt => attempt.links ?? [])
    expect(links.filter(({ spanId }) => outcomes.has(spanId)).length).toBeGreaterThan(0)
    expect(spans('GET /{scanCode}/pay/{attempt}').length).toBeGreaterThan(0)
  }, long)
  demo.kill('SIGINT')
  await ended
  expect(said).toContain('Stopped. Nothing in flight was lost.')
  expect(collector.services()).toEqual(new Set(['tillkit-demo']))
  expect(collector.metrics()).toEqual(
    expect.arrayContaining([
      'http.server.request.duration',
      'db.client.operation.duration',
      'tillkit.payment.outcomes',
      'tillkit.payment.takings',
      'tillkit.delivery.attempt.duration',
    ]),
  )
})
