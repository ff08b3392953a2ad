import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...globSync('{docs/*.md,examples/*/README.md,packages/*/{README.md,docs/*.md}}', { cwd: root }).sort(),
]

/** What a page of a package says of the repository, so that it works wherever it is read. */
const OURS = /^https:\/\/github\.com\/tillkit\/tillkit(?:\/(?:tree|blob)\/main)?\/?/

const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (file: string) =>
  [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** Why a link to what is ours leads nowhere; undefined where it leads somewhere. */
function fault(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.replace(OURS, '').split('#')
  const target = OURS.test(link) ? join('.', path) : path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(root, target))) return `${link}: there is no ${target}`
  // GitHub's own name of a README.
  if (anchor === undefined || anchor === 'readme') return undefined
  const file = target.endsWith('.md') ? target : join(target, 'README.md')
  return anchorsOf(file).includes(anchor) ? undefined : `${link}: there is no such heading in ${file}`
}

/** Whether there is a file that a page names: from the root, or from its own package. */
function isThere(page: string, file: string): boolean {
  const [own = '.'] = /^packages\/[^/]+/.exec(page) ?? []
  return existsSync(join(root, file)) || existsSync(join(root, own, file))
}

test.each(PAGES)('%s links to what is there, and names files that are', page => {
  const text = read(page).replaceAll(/^```.*?^```$/gms, '')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter(link => OURS.test(link) || !/^https?:/.test(link))
  expect(links.map(link => fault(page, link)).filter(Boolean)).toEqual([])
  const named = [...text.matchAll(/`((?:packages|docs|examples|src|test|bench)\/[\w./-]+)`/g)]
  expect(named.map(([, file = '']) => file).filter(file => !isThere(page, file))).toEqual([])
})
