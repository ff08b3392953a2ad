import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { publicPackages } from '../src/packages.ts'
import { wordless } from '../src/words/wordless.ts'

/** The names without words in a repository of one package, whose index is `source`. */
function namesWithoutWords(source: string, manifest: object = {}): string[] {
  const root = mkdtempSync(join(tmpdir(), 'house-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const folder = join(root, 'packages/till')
  mkdirSync(join(folder, 'src'), { recursive: true })
  const exports = { '.': { '@tillkit/source': './src/index.ts', default: './dist/index.js' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: '@shop/till', exports, ...manifest }))
  writeFileSync(join(folder, 'src/index.ts'), source)
  const compilerOptions = { strict: true, module: 'nodenext', target: 'es2024', noEmit: true, types: [] }
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  return wordless(root, publicPackages(root)).map(({ file, line, name }) => `${file}:${line} ${name}`)
}

test.each<[string, string, string]>([
  ['a function', 'export function start(): void {}', '1 start'],
  ['a constant', 'export const most = 5', '1 most'],
  ['a field', '/** A. */\nexport interface Shop { name: string }', '2 Shop.name'],
  ['a method', '/** A. */\nexport interface Shop { close(): void }', '2 Shop.close'],
  ['a member of a union', "/** A. */\nexport type End = { status: 'paid' } | 'none'", '2 End.status'],
  ['an option', '/** A. */\nexport function a(given: { cents: 1 }): void {}', '2 a(given).cents'],
  ['a field of an answer', '/** A. */\nexport const get = async () => [{ id: 1 }]', '2 get().id'],
  ['a field of a class', '/** A. */\nexport class Shop { id = 1 }', '2 Shop.id'],
  ['a field of a hidden type', 'interface A { id: 1 }\n/** B. */\nexport type B = A[]', '1 A.id'],
  [
    'one of two signatures',
    '/** A. */\nexport function a(x: 1): 1\nexport function a(x: 2): 2\nexport function a(x: any) { return x }',
    '3 a',
  ],
])('%s without words is named', (_, source, name) => {
  expect(namesWithoutWords(source)).toEqual([`packages/till/src/index.ts:${name}`])
})

test('words on what a type is inferred from do not count: published declarations lose them', () => {
  const source = `
    const made = { /** Cents. */ total: 1 }
    /** What is made. */
    export type Made = typeof made`
  expect(namesWithoutWords(source)).toEqual(['packages/till/src/index.ts:2 Made.total'])
})

test('what has words, is hidden, or comes from elsewhere is not named', () => {
  const source = `
    interface Named {
      /** The name. */
      name: string
    }
    /** A shop. */
    export class Shop implements Named {
      name = 'Shop'
      private till = 1
      #count = 2
      /** What is in the till, in cents. */
      total() { return this.till + this.#count }
    }
    /** Shops by their names. */
    export function byName(shops: Shop[]): Promise<Map<string, Shop>> {
      return Promise.resolve(new Map(shops.map(shop => [shop.name, shop])))
    }`
  expect(namesWithoutWords(source)).toEqual([])
})

test('a private package needs no words', () => {
  expect(namesWithoutWords('export const most = 5', { private: true })).toEqual([])
})
