import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { overEveryEngine } from '../engines/index.ts'
import { type Bundle, bundle, type Making, run } from './bundle.ts'
import type { Shown } from './host.ts'

// All of Tillkit and the drivers in one file; better-sqlite3, which has a native module, beside it.
const making: Making = { external: ['better-sqlite3'] }

const PROGRAM = `
  import { show } from './test/bundles/host.ts'
  show(JSON.parse(process.argv[2])).then(shown => console.log(JSON.stringify(shown)))`

async function hostBundle(format: 'esm' | 'cjs', rest: Making = {}): Promise<Bundle> {
  const made = await bundle(PROGRAM, format, { ...making, ...rest })
  const modules = new URL('../../../../node_modules/', import.meta.url)
  await mkdir(join(made.folder, 'node_modules'))
  const native = join(made.folder, 'node_modules', 'better-sqlite3')
  await symlink(fileURLToPath(new URL('better-sqlite3', modules)), native)
  return made
}

async function shown(bundled: Bundle, address: object): Promise<Shown> {
  const { code, stdout, stderr } = await run(process.execPath, bundled, [JSON.stringify(address)])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const ANSWERS = { api: 200, listed: 1, page: 200, image: 200 }

describe.each(['esm', 'cjs'] as const)('a host in one file, %s', format => {
  let bundled: Bundle
  beforeAll(async () => {
    bundled = await hostBundle(format)
  })
  afterAll(() => bundled.remove())

  overEveryEngine(engine => {
    test('answers requests and posts its webhook', async () => {
      const database = await engine.create()
      const { log, ...rest } = await shown(bundled, database.address).finally(() => database.drop())
      expect(rest).toEqual({
        ...ANSWERS,
        delivered: 1,
        webhook: expect.objectContaining({ totalAmount: 1250 }),
      })
      expect(log.join()).not.toMatch(/webhook (failed|attempt)/)
    })
  })
})

test('an ES module without a require starts and answers; its log says why no webhook leaves', async () => {
  const bundled = await hostBundle('esm', { require: false })
  const { log, ...rest } = await shown(bundled, { dialect: 'sqlite', file: 'till.db' })
  await bundled.remove()
  expect(rest).toEqual({ ...ANSWERS, delivered: 0, webhook: null })
  expect(log.join('\n')).toMatch(/webhook attempt broke off .*undici cannot be loaded: Dynamic require of/)
})
