import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..')

/** A fenced block of a page. */
export interface Block {
  language: string
  /** The file that the reader writes it to: what stands behind the language. */
  file: string | undefined
  text: string
}

export const readPage = (page: string) => readFileSync(join(folder, page), 'utf8')

export function blocksOf(page: string): Block[] {
  const fences = readPage(page).matchAll(/^```(\w*)(?: +(\S+))?\n(.*?)^```$/gms)
  return [...fences].map(([, language = '', file, text = '']) => ({ language, file, text }))
}

/** The block that the reader writes to `file`. */
export function fileOf(page: string, file: string): string {
  const [block, ...others] = blocksOf(page).filter(found => found.file === file)
  if (block === undefined || others.length > 0) throw new Error(`${page} must have one block ${file}`)
  return block.text
}

/** The commands of the pages' blocks in `sh`, comments left out, lines that go on put together. */
export function commandsOf(page: string): string[] {
  const shell = blocksOf(page).filter(({ language }) => language === 'sh')
  return shell
    .flatMap(({ text }) => text.replaceAll(/\\\n\s*/g, '').split('\n'))
    .map(line => line.replace(/\s+#.*$/, '').trim())
    .filter(line => line !== '' && !line.startsWith('#'))
}
