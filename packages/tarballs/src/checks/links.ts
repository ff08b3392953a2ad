import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '../public-packages.ts'
import type { Tarball } from '../tarball.ts'

const LINK = /(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g
const OURS = /^https:\/\/github\.com\/tillkit\/tillkit\/(?:tree|blob)\/main\/([^#]*)/

/** The links of the README work wherever it is read: they are addresses, or headings of its own; ours lead to what is there. */
export function links({ files }: Tarball): string[] {
  const readme = files.get('README.md') ?? ''
  const headings = [...readme.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
  return [...readme.replaceAll(/^```.*?^```$/gms, '').matchAll(LINK)].flatMap(([, target = '']) => {
    if (target.startsWith('#'))
      return headings.includes(target.slice(1)) ? [] : [`README.md: no heading ${target}`]
    if (!URL.canParse(target)) return [`README.md links to ${target}, which only the repository has`]
    const [, path] = OURS.exec(target) ?? []
    return path === undefined || existsSync(join(REPOSITORY, path))
      ? []
      : [`README.md: ${target} is not there`]
  })
}

/** GitHub's name of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
