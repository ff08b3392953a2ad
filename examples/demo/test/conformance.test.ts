import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkConformance } from '@tillkit/conformance'
import { expect, test } from 'vitest'
import { buildDemo } from '../src/build-demo.ts'

test('it is what the API’s contract says, while customers pay', { timeout: 240_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-demo-'))
  const demo = await buildDemo({ port: 0, data: join(folder, 'demo.db'), pace: 1 })
  try {
    const key = demo.credentials.get('corner-coffee')?.apiKey ?? ''
    const { origin } = new URL(demo.baseUrl)
    const report = await checkConformance({ url: demo.baseUrl, qrUrl: origin, key })
    expect(report.checks.filter(({ status }) => status === 'differs')).toEqual([])
  } finally {
    await demo.close()
    await rm(folder, { recursive: true })
  }
})
