import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The page on rows written by hand. */
export const page = await readFile(join(import.meta.dirname, '../docs/by-hand.md'), 'utf8')

/** What is in a block of it, filled in: statements, or lines of a shell. */
export function blockOf(language: 'sql' | 'sh', name: string, given: Record<string, string> = {}): string[] {
  const text = new RegExp(`^\`\`\`${language} ${name}\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1]
  if (text === undefined) throw new Error(`the page has no ${name}`)
  const filled = text.replaceAll(/<(\w+)>/g, (_, key) => `${given[key]}`)
  return filled.split(language === 'sql' ? ';\n' : '\n').filter(one => one.trim() !== '')
}
