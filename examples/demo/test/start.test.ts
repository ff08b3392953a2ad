import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const demo = join(import.meta.dirname, '..')
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillkit-start-'))
})

afterEach(() => rm(folder, { recursive: true }))

/** Without what the project's own settings add, as a new user's shell has it. */
function start(file: string, ...flags: string[]) {
  const { status, stderr } = spawnSync(process.execPath, [...flags, file], { encoding: 'utf8', env: {} })
  return { status, lines: stderr.trimEnd().split('\n') }
}

test('an old Node is told in one line what it lacks', () => {
  const old = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})`
  const { status, lines } = start(join(demo, 'start.js'), '--import', old)
  expect([status, lines.length]).toEqual([1, 1])
  expect(lines[0]).toMatch(/^The demo needs Node 22\.18 or later, and this is 20\.20\.2: run npm ci/)
})

test('a clone without its packages is told in one line to install them', async () => {
  await mkdir(join(folder, 'demo'))
  for (const part of ['src', 'start.js', 'package.json']) {
    await cp(join(demo, part), join(folder, 'demo', part), { recursive: true })
  }
  const { status, lines } = start(join(folder, 'demo/start.js'))
  expect([status, lines.length]).toEqual([1, 1])
  expect(lines[0]).toMatch(/^Run npm ci first: Cannot find package '@tillkit\//)
})
