import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readTarball } from '../src/tarball.ts'

const run = promisify(execFile)
let folder: string
let manifest: string

/** A package that is packed as ours are, with nothing to build, in a path with a space. */
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tillkit pack-')))
  const script = (name: string) =>
    `node "${relative(folder, join(import.meta.dirname, `../src/${name}.ts`))}"`
  manifest = JSON.stringify({
    name: 'packed',
    version: '1.2.3',
    files: ['dist'],
    exports: { '.': { '@tillkit/source': './src/index.ts', types: './dist/a.d.ts', default: './dist/a.js' } },
    scripts: { prepack: `${script('prepack')} $PPID`, postpack: script('postpack') },
    devDependencies: { left: '1.0.0' },
  })
  await mkdir(join(folder, 'dist'))
  await writeFile(join(folder, 'dist/a.js'), '')
  await writeFile(join(folder, 'package.json'), manifest)
})

afterEach(() => rm(folder, { recursive: true }))

const pack = (...words: string[]) => run('npm', ['pack', ...words], { cwd: folder })

/** The folder is as it was: its own package.json, and nothing else that packing made. */
const isAsItWas = async (...more: string[]) => {
  expect(await readFile(join(folder, 'package.json'), 'utf8')).toBe(manifest)
  expect(await readdir(folder)).toEqual(['dist', 'package.json', ...more].toSorted())
}

test('a tarball has no source condition, scripts or development dependencies, and the folder is as it was', async () => {
  await pack()
  const file = join(folder, 'packed-1.2.3.tgz')
  expect(readTarball(folder, file, await readFile(file)).manifest).toEqual({
    name: 'packed',
    version: '1.2.3',
    files: ['dist'],
    exports: { '.': { types: './dist/a.d.ts', default: './dist/a.js' } },
  })
  await isAsItWas('packed-1.2.3.tgz')
})

test('a pack that fails leaves the folder as it was', async () => {
  await expect(pack('--pack-destination', join(folder, 'nowhere'))).rejects.toThrow('ENOENT')
  await vi.waitFor(() => isAsItWas(), { timeout: 120_000 })
})
