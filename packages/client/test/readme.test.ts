import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { ApiErrorCode, ErrorCode } from '@tillkit/client'
import type { ErrorCode as ServersCode } from '@tillkit/http'
import { expect, expectTypeOf, test } from 'vitest'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

async function run(program: string, ...flags: string[]): Promise<string> {
  const words = ['--conditions=@tillkit/source', ...flags, '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: import.meta.dirname })
  return stdout
}

test('the program in the README runs', async () => {
  const [, program = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []
  expect(await run(program, '--input-type=module-typescript')).toBe(
    'https://pay.example.com/qr/counter?id=order-7&amount=1250\n',
  )
})

test('the server in the README can be made', async () => {
  const [, program = ''] = /```js\n(.*?)```/s.exec(readme) ?? []
  expect(await run(program, '--input-type=module')).toBe('')
})

test('the lines about a provider’s own words make a client and a receiver', async () => {
  const [, , , lines = ''] = readme.split(/```js\n(.*?)```/s)
  const program = `import { createClient } from '@tillkit/client'
    import { fetchWebhooks } from '@tillkit/client/webhooks'
    const [baseUrl, apiKey, key, handler] = ['https://pay.example.com/v1', 'tk_yours', 'whk_yours', () => {}]
    ${lines}
    console.log(typeof receive, shop.qr.imageUrl({ scanCode: 'counter', size: 200 }))`
  expect(await run(program, '--input-type=module')).toBe(
    'function https://pay.example.com/qr/counter.svg?snap_code_size=200\n',
  )
})

test('the codes are the server’s and the client’s, and each is in the README', () => {
  expectTypeOf<ApiErrorCode>().toEqualTypeOf<ServersCode>()
  const codes: Record<ErrorCode, true> = {
    ...{ unauthorised: true, https_required: true, not_found: true, method_not_allowed: true },
    ...{ invalid_parameter: true, conflict: true, not_ready: true, rate_limited: true, suspended: true },
    ...{ unavailable: true, internal: true, network: true, timeout: true, unexpected_answer: true },
  }
  const [, table = ''] = /\| code \| \|\n(.*?)\n\n/s.exec(readme) ?? []
  const named = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) =>
    cell.match(/(?<=`)\w+(?=`)/g),
  )
  expect(named.sort()).toEqual(Object.keys(codes).sort())
})
