import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundle } from './bundle.ts'

const README = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
const ROW = /^\| `([^|]+)` +\| +([\d.]+) kB \|$/gm

const rows = [...README.matchAll(ROW)].map(([, names = '', size]) => ({
  names: names.split('`, `'),
  size: Number(size),
}))

async function bytesOf(names: string[]): Promise<number> {
  const program = `export { ${names} } from '@tillkit/webhook-signer'`
  const code = await bundle(program, { format: 'esm', platform: 'browser', minify: true })
  return new TextEncoder().encode(code).length
}

test('a receiver, bundled and minified, is below 9 kB', async () => {
  const receiver = ['verifyWebhook', 'parseWebhook']
  expect(await bytesOf(receiver)).toBeLessThan(9000)
  expect(rows.map(({ names }) => names)).toContainEqual(receiver)
})

test.each(rows)('$names are $size kB, as the README says', async ({ names, size }) => {
  expect(((await bytesOf(names)) / 1000).toFixed(1)).toBe(size.toFixed(1))
})

test('nothing is installed with it: what it uses of others is built into its own file', () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies'])
    expect(manifest).not.toHaveProperty(kind)
})
