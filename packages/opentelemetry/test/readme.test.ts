import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type OwnCollector, ownCollector } from '@tillkit/servers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { metricNames } from './metric-names.ts'

const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
const [, program = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []
let collector: OwnCollector

beforeAll(async () => {
  collector = await ownCollector()
})
afterAll(() => collector.close())

test('the program sends its trace and its metrics to a collector', async () => {
  const folder = await mkdtemp(join(import.meta.dirname, '../.scratch-'))
  try {
    await writeFile(join(folder, 'program.ts'), program)
    const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    const args = ['--conditions=@tillkit/source', 'program.ts']
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env })
    expect(stdout).toBe('completed\n')
  } finally {
    await rm(folder, { recursive: true })
  }
  const spans = collector.spans()
  const outcome = spans.find(({ name }) => name === 'tillkit.payment complete')
  const attempt = spans.find(({ name }) => name === 'tillkit.delivery attempt')
  expect(outcome?.traceId).toMatch(/^[0-9a-f]{32}$/)
  expect(attempt?.links?.map(({ traceId, spanId }) => [traceId, spanId])).toEqual([
    [outcome?.traceId, outcome?.spanId],
  ])
  expect(collector.metrics()).toEqual(
    expect.arrayContaining([
      'tillkit.payment.takings',
      'tillkit.delivery.pending',
      'tillkit.delivery.attempt.duration',
    ]),
  )
})

test('the tables name what is measured', () => {
  const listed = [...readme.matchAll(/^\| `((?:tillkit|db|http)\.[a-z_.]+)` +\|/gm)].map(([, name]) => name)
  expect(listed.sort()).toEqual(metricNames().sort())
})
