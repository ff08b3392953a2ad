import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { enginesAreTrue } from '../src/engines.ts'
import { newFolder } from '../src/folder.ts'

test('what wants a newer Node is named, unless it is for development only', async () => {
  const path = await mkdtemp(join(tmpdir(), 'tillkit-engines-'))
  onTestFinished(() => rm(path, { recursive: true }))
  const folder = await newFolder(path, { registry: 'http://127.0.0.1:9/', node: dirname(process.execPath) })
  await mkdir(join(path, 'node_modules'))
  const packages = {
    'node_modules/any': {},
    'node_modules/old': { engines: { node: '>=16' } },
    'node_modules/new': { engines: { node: '>=20.19' } },
    'node_modules/tool': { engines: { node: '>=24' }, dev: true },
  }
  await writeFile(join(path, 'node_modules/.package-lock.json'), JSON.stringify({ packages }))
  await enginesAreTrue(folder, '22.0.0')
  await expect(enginesAreTrue(folder, '18.0.0')).rejects.toThrow(
    /^Node 18\.0\.0 is not enough: node_modules\/new wants >=20\.19$/,
  )
})
