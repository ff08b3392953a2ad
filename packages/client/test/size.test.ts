import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const README = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
const ROW = /^\| `(\w+)` +\| +([\d.]+) kB \|$/gm
const rows = [...README.matchAll(ROW)].map(([, name = '', size]): [string, number] => [name, Number(size)])

async function bundled(name: string): Promise<string> {
  const entry = name.endsWith('Webhooks') ? '@tillkit/client/webhooks' : '@tillkit/client'
  const { outputFiles } = await build({
    stdin: { contents: `export { ${name} } from '${entry}'`, resolveDir: import.meta.dirname },
    ...{ bundle: true, write: false, format: 'esm', platform: 'browser', minify: true },
    ...{ target: 'es2022', conditions: ['@tillkit/source'], logLevel: 'silent' },
  })
  return outputFiles[0]?.text ?? ''
}

test('the README has a row for both entries', () => {
  expect(rows.map(([name]) => name)).toEqual(['createClient', 'fetchWebhooks'])
})

test.each(rows)('%s, bundled and minified, is %d kB and imports nothing', async (name, size) => {
  const code = await bundled(name)
  console.log(`${name}: ${(new TextEncoder().encode(code).length / 1000).toFixed(1)} kB`)
  expect((new TextEncoder().encode(code).length / 1000).toFixed(1)).toBe(size.toFixed(1))
  expect(code).not.toMatch(/\bimport\b|\brequire\b/)
})
