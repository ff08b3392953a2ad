import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Folder, newFolder } from '../src/folder.ts'
import { runProgram } from '../src/program.ts'

const node = dirname(process.execPath)
let folder: Folder
let runs = 0

beforeAll(async () => {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'tillkit stranger ')))
  folder = await newFolder(path, { registry: 'http://127.0.0.1:9/', node })
})

afterAll(() => rm(folder.path, { recursive: true }))

const run = (source: string) =>
  runProgram(
    folder,
    { name: 'program 1', language: 'ts', source, isTest: false },
    { node, run: `run-${++runs}` },
  )

const server = (answer: string, more = '') => `
  import { createServer } from 'node:http'
  createServer((request, response) => ${answer}).listen(3000, () => console.log('http://localhost:3000/path'))
  ${more}`

test('a program that ends well is fine', async () => {
  await run('const cents: number = 1\nconsole.log(cents)')
})

test('one that throws is not, and what it said is told', async () => {
  await expect(run("throw new Error('no such table')")).rejects.toThrow(/ended with 1.*no such table/s)
})

test('one that listens is asked at the address that it prints', async () => {
  await run(server("response.writeHead(request.url === '/path' ? 200 : 500).end()"))
  await expect(run(server('response.writeHead(404).end()'))).rejects.toThrow('answers 404')
})

test('one that ends instead of listening is not fine', async () => {
  await expect(run(server('response.end()', 'process.exit(3)'))).rejects.toThrow('ended with 3')
})
