import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'

const PROGRAM = join(import.meta.dirname, 'programs/logging.ts')

function run(scene: string) {
  const child = spawn(process.execPath, ['--conditions=@tillkit/source', PROGRAM, scene], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const code = new Promise(resolve => child.once('close', resolve))
  return { child, code }
}

async function linesOf(scene: string): Promise<string[]> {
  const { child, code } = run(scene)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect([await code, stdout]).toEqual([0, ''])
  return stderr === '' ? [] : stderr.trimEnd().split('\n')
}

const LINE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (WARN|ERROR) (.*)$/

describe('without a logger', () => {
  test('a warning is one line on stderr, and none with false', async () => {
    const [line = '', ...more] = await linesOf('a key without secrets')
    expect(line).toMatch(/Z WARN webhook keys are stored as they are: createTill was given no secrets$/)
    expect(more).toEqual([])
    expect(await linesOf('a key without secrets, silently')).toEqual([])
  })

  test('whatever the fields hold, a call is one line, and none throws', async () => {
    const lines = await linesOf('awkward fields')
    const said = lines.map(line => LINE.exec(line)?.slice(1))
    expect(said.slice(0, 6)).toEqual([
      ['WARN', 'no fields'],
      ['WARN', 'circular {"merchantId":"shop","self":"(circular)"}'],
      ['WARN', 'odd values {"amount":"12","at":"Invalid Date","of":"Symbol(s)","nan":"NaN"}'],
      ['WARN', 'unreadable {"merchantId":"shop","key":"(unreadable)"}'],
      ['WARN', 'hostile "(unreadable)"'],
      [
        'ERROR',
        String.raw`an error {"err":"not written\nERROR forged (E1); cause: refused (ECONNREFUSED)","key":"(5 bytes)"}`,
      ],
    ])
    expect(said.slice(6, 9)).toEqual([
      ['ERROR', 'of another realm {"err":"elsewhere"}'],
      [
        'ERROR',
        String.raw`odd errors {"err":"[object Object]; cause: {\"merchantId\":\"shop\",\"self\":\"(circular)\"}"}`,
      ],
      ['ERROR', 'several {"err":"refused"}'],
    ])
    const [long = [], empty, deep, ...more] = said.slice(9)
    expect(long[1]).toContain(String.raw`long\u000d\u000alines \u2028 \u202e \ud800 %s %d {"text":"xxx`)
    expect(long[1]?.length).toBeLessThan(10_000)
    expect(empty).toEqual(['ERROR', 'undefined'])
    expect(deep).toEqual(['ERROR', 'deep {"toJSON":"a function","deep":{"a":{"b":{"c":"(more)"}}}}'])
    expect(more).toEqual([])
  })

  test('whoever read stderr may be gone', async () => {
    const { child, code } = run('nobody reads')
    child.stderr.once('data', () => child.stderr.destroy())
    expect([await text(child.stdout), await code]).toEqual(['still here\n', 0])
  })
})
