import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const blocks = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, block = '']) => block)
const isWhole = (block: string) => block.startsWith('import ')
const [first = '', statements = ''] = blocks.filter(isWhole)

async function run(program: string): Promise<{ stdout: string; stderr: string }> {
  const words = ['--conditions=@tillkit/source', '--input-type=module', '--eval', program]
  return promisify(execFile)(process.execPath, words, { cwd: import.meta.dirname })
}

test('the first program runs, and each part of one that stands by itself runs behind it', async () => {
  const parts = blocks.filter(block => !isWhole(block))
  expect(parts.length).toBeGreaterThan(5)
  // Deliveries are sent again of a merchant that has a URL; a worker would be needed to send them.
  const webhookUrl = "await till.merchants.update(shop.id, { webhookUrl: 'https://shop.example.com/' })\n"
  const { stdout } = await run(first + webhookUrl + parts.map(part => `{\n${part}}\n`).join(''))
  expect(stdout).toMatch(/id: 1,.*status: 'completed'.*total: 1/s)
  expect(stdout).toContain('true { count: 1, totalAmount: 1350, tipAmount: 100 }\n')
  expect(stdout).toContain('\n1 1350\n')
  expect(stdout).toMatch(/^note merchants 1 merchant is suspended/m)
})

test('the program about statements runs, and its comments are true', async () => {
  const shown = statements
    .replace(
      'console.log(settled, differences, left.items)',
      'console.log(JSON.stringify([settled, differences, left]))',
    )
    .replace(
      "console.log(await till.settlements.get('BANK-0412'))",
      "console.log(JSON.stringify(await till.settlements.get('BANK-0412')))",
    )
  const [imported = '', found = ''] = (await run(shown)).stdout.split('\n')
  const [settled, differences, left] = JSON.parse(imported)
  expect(settled).toBe(2)
  expect(differences).toMatchObject([{ row: { line: 4 }, why: 'unknown' }])
  expect(left.items).toMatchObject([{ id: 2 }])
  expect(statements).toContain('// 2, line 4 is unknown, and payment 2 is left out\n')
  expect(JSON.parse(found)).toMatchObject({ count: 2, amount: 1800, fees: 36 })
  expect(statements).toContain('// count 2, amount 1800, fees 36,')
})
