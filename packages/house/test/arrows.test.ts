import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { publicPackages } from '../src/packages.ts'

const root = resolve(import.meta.dirname, '../../..')

/** What the repository's own rules say of these files. */
async function complaints(files: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'house-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  return new Promise(found => {
    const args = [biome, 'lint', '--vcs-enabled=false', '--reporter=github', '.']
    execFile(process.execPath, args, { cwd: folder }, (_, out) => found(out))
  })
}

test('an import against the arrows is found, and one along them is none', async () => {
  const found = await complaints({
    'packages/domain/src/a.ts': "export { createTill } from '@tillkit/till'\n",
    'packages/till/src/b.ts': "export { memoryStorage } from '@tillkit/storage/memory'\n",
    'packages/till/src/c.ts': "export { DatabaseError } from '@tillkit/storage'\n",
  })
  const refused = [...found.matchAll(/noRestrictedImports,file=\S*?(\w+\/src\/\w\.ts)/g)].map(
    ([, file]) => file,
  )
  expect(refused.sort()).toEqual(['domain/src/a.ts', 'till/src/b.ts'])
})

test('an import that goes round in a circle is found, of types alone too', async () => {
  const found = await complaints({
    'packages/domain/src/a.ts': "import type { B } from './b.ts'\nexport type A = B\n",
    'packages/domain/src/b.ts': "import type { A } from './a.ts'\nexport type B = A | 1\n",
  })
  expect(found).toContain('noImportCycles')
})

test('each package that is published has its arrows', () => {
  const config: { overrides: { includes: string[] }[] } = JSON.parse(
    readFileSync(join(root, 'biome.json'), 'utf8'),
  )
  const held = config.overrides.flatMap(({ includes }) => includes)
  for (const { name } of publicPackages(root)) {
    expect(held).toContain(`packages/${basename(name)}/src/**`)
  }
})
