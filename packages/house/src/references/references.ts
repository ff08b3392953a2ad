import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What names a section of the API's page: comments of programs, and other pages. */
const PLACES = [
  '{packages,examples}/*/README.md',
  '{packages,examples}/*/src/**/*.ts',
  '{docs,packages/*/docs}/*.md',
]

const NUMBER = String.raw`\d+(?:\.\d+)?`
const REFERENCE = new RegExp(
  String.raw`\b(API|[Ss]pecification) (${NUMBER}(?:(?:,| and| to) ${NUMBER})*)`,
  'g',
)
const LINK = /\]\((?:[\w./-]*\bapi\.md)?#([^)]+)\)/g

/**
 * What leads to no section of `docs/api.md`, each with its file and line: `API 4.2` where the page has no such number, a link
 * to a heading that it does not have, and a section of any other document.
 */
export function brokenReferences(root: string): string[] {
  const page = join('docs', 'api.md')
  const headings = Array.from(
    readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.*)$/gm),
    ([, title]) => title as string,
  )
  const numbers = new Set(headings.map(title => /^\d+(?:\.\d+)?/.exec(title)?.[0]))
  const anchors = new Set(headings.map(anchorOf))
  const files = globSync(PLACES, { cwd: root, exclude: ['**/node_modules/**'] }).filter(file =>
    /\.(ts|md)$/.test(file),
  )

  return files.sort().flatMap(file =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, at) => {
        const named = [...line.matchAll(REFERENCE)].flatMap(([, document, list = '']) =>
          list
            .split(/, | and | to /)
            .filter(number => document !== 'API' || !numbers.has(number))
            .map(number => `${document} ${number}`),
        )
        const linked = [...line.matchAll(LINK)]
          .filter(([link]) => file === page || link.includes('api.md'))
          .map(([, anchor]) => anchor as string)
          .filter(anchor => !anchors.has(anchor))
          .map(anchor => `#${anchor}`)
        return [...named, ...linked].map(what => `${file}:${at + 1} ${what}`)
      }),
  )
}

/** What a heading is called in a link, as GitHub has it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
