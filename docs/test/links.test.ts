import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const PAGES = [
  ...['README.md', 'SECURITY.md'],
  ...globSync('{docs,examples/*,packages/*/docs}/*.md', { cwd: root }).sort(),
]

const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (file: string) =>
  [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** Why a relative link leads nowhere; undefined where it leads somewhere. */
function fault(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : relative(root, join(root, dirname(page), path))
  if (!existsSync(join(root, target))) return `${link}: there is no ${target}`
  if (anchor === undefined) return undefined
  const file = target.endsWith('.md') ? target : join(target, 'README.md')
  return anchorsOf(file).includes(anchor) ? undefined : `${link}: there is no such heading in ${file}`
}

test.each(PAGES)('%s links to what is there, and names files that are', page => {
  const text = read(page).replaceAll(/^```.*?^```$/gms, '')
  const links = [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link)
  expect(links.map(link => fault(page, link)).filter(Boolean)).toEqual([])
  const named = [...text.matchAll(/`((?:packages|docs|examples)\/[\w./-]+)`/g)].map(([, file = '']) => file)
  expect(named.filter(file => !existsSync(join(root, file)))).toEqual([])
})
