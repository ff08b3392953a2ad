import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('the program in the README runs, and its comments are true', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
  const program = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? ''
  const folder = await mkdtemp(join(import.meta.dirname, '../.scratch-'))
  try {
    const shown = program.replace(
      'parsePaymentUrl(url)\n',
      'console.log(JSON.stringify([url, parsePaymentUrl(url)]))\n',
    )
    await writeFile(join(folder, 'program.ts'), shown)
    const run = promisify(execFile)(process.execPath, ['--conditions=@tillkit/source', 'program.ts'], {
      cwd: folder,
    })
    const [url, parsed] = JSON.parse((await run).stdout)
    expect(readme).toContain(`// ${url}\n`)
    expect(parsed).toEqual({
      scanCode: 'Table_7',
      merchantReference: 'order-1023',
      requiredAmount: 12900,
      strict: true,
      extra: { waiter: 'Zoë' },
    })
    expect(await readdir(folder)).toEqual(['program.ts', 'table-7.png', 'table-7.svg'])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the program about signatures runs, and its comments are true', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
  const program = [...readme.matchAll(/```ts\n(.*?)```/gs)][1]?.[1] ?? ''
  const flags = ['--conditions=@tillkit/source', '--input-type=module-typescript']
  const shown = `${program}\nconsole.log(url)`
  const run = promisify(execFile)(process.execPath, [...flags, '--eval', shown], { cwd: import.meta.dirname })
  const [amount, parameter, url = ''] = (await run).stdout.split('\n')
  expect(program).toContain(`.requiredAmount) // ${amount}\n`)
  expect(program).toContain(`.parameter) // ${parameter}\n`)
  expect(program).toContain(`\n// ${url.slice(0, -24)}…\n`)
})

test('the program in other words runs, and its comments are true', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
  const program = [...readme.matchAll(/```ts\n(.*?)```/gs)][2]?.[1] ?? ''
  const flags = ['--conditions=@tillkit/source', '--input-type=module-typescript']
  const shown = program.replace(/^(parsePaymentUrl\(.*\))$/m, 'console.log(JSON.stringify([url, $1]))')
  const run = promisify(execFile)(process.execPath, [...flags, '--eval', shown], { cwd: import.meta.dirname })
  const [url, parsed] = JSON.parse((await run).stdout)
  expect(program).toContain(`\n// ${url}\n`)
  expect(parsed).toEqual({ scanCode: 'Table_7', merchantReference: 'order-1023', extra: { id: '5' } })
})
