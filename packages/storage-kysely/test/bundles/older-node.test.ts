import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { type Bundle, bundle, run } from './bundle.ts'
import { olderNode } from './older-node.ts'

const node = await olderNode()
const title = node ? 'a Node below 22' : 'a Node below 22 (none is here: NODE_20 names one)'

const PROGRAMS: [what: string, program: string, said: RegExp][] = [
  [
    'sqliteStorage',
    `import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
     const storage = sqliteStorage({ file: 'till.db' })
     await storage.migrate()`,
    /^DatabaseError: sqliteStorage needs Node 22\.14 or later, and this is Node (1\d|2[01])\.\d+\.\d+$/,
  ],
  [
    'createTill',
    `import { memoryStorage } from '@tillkit/storage/memory'
     import { createTill } from '@tillkit/till'
     const till = createTill({ storage: memoryStorage() })
     await till.merchants.create({ id: 'shop', name: 'Shop' })`,
    /^Error: Tillkit needs Node 22 or later, and this is Node (1\d|2[01])\.\d+\.\d+$/,
  ],
]

describe.skipIf(node === undefined)(title, () => {
  let bundled: Bundle | undefined
  afterEach(() => bundled?.remove())

  const runBundled = async (program: string) => {
    bundled = await bundle(program)
    // The driver is there, and would end this Node by a signal.
    const modules = fileURLToPath(new URL('../../../../node_modules', import.meta.url))
    await symlink(modules, join(bundled.folder, 'node_modules'))
    return run(node ?? '', bundled)
  }

  test.each(PROGRAMS)('%s: one sentence', { timeout: 300_000 }, async (_, program, said) => {
    const [imports, uses] = [/^ *import.*$/gm, program.replace(/^ *import.*$/gm, '')]
    const { code, signal, stdout, stderr } = await runBundled(
      `${program.match(imports)?.join('\n')}
       try { ${uses} } catch (error) { console.error(String(error)); process.exitCode = 3 }`,
    )
    expect({ code, signal, stdout }).toEqual({ code: 3, signal: null, stdout: '' })
    expect(stderr.trimEnd()).toMatch(said)
  })

  test.each(PROGRAMS)(
    '%s: no crash where nobody catches it',
    { timeout: 300_000 },
    async (_, program, said) => {
      const { code, signal, stderr } = await runBundled(program)
      expect({ code, signal }).toEqual({ code: 1, signal: null })
      expect(stderr.split('\n').filter(line => said.test(line))).toHaveLength(1)
    },
  )
})
