import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '../public-packages.ts'
import type { Tarball } from '../tarball.ts'

const BESIDE_DIST = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md']
const BUILT = /^dist\/[\w/-]+\.(js|js\.map|d\.ts)$/

/** What a package's `files` may name beside what is built: what other programs than Node read. */
const DATA = /\.(json|yaml)$/

/** What is there is what is built, what its `files` name, and what is said about it, each source map has its sources, and nothing is missing. */
export function contents({ files, manifest }: Tarball): string[] {
  const problems: string[] = []
  const folders = ((manifest.files ?? []) as string[]).filter(name => name !== 'dist')
  for (const path of files.keys()) {
    const isNamed = folders.some(folder => path.startsWith(`${folder}/`) && DATA.test(path))
    if (!BESIDE_DIST.includes(path) && !BUILT.test(path) && !isNamed) problems.push(`${path} is in it`)
  }
  for (const path of BESIDE_DIST) if (!files.has(path)) problems.push(`${path} is missing`)
  for (const [path, text] of files) {
    if (path.endsWith('.js')) problems.push(...mapOf(path, text, files))
  }
  if (files.get('LICENSE') !== readFileSync(join(REPOSITORY, 'LICENSE'), 'utf8')) {
    problems.push('LICENSE is not the repository’s')
  }
  const heading = `# ${manifest.name}\n`
  if (!files.get('CHANGELOG.md')?.startsWith(heading))
    problems.push(`CHANGELOG.md does not begin with ${heading}`)
  return problems
}

function mapOf(path: string, text: string, files: ReadonlyMap<string, string>): string[] {
  const map = files.get(`${path}.map`)
  if (map === undefined) return [`${path} has no source map`]
  const { sources, sourcesContent } = JSON.parse(map)
  if (sources.length !== (sourcesContent ?? []).length) return [`${path}.map is without its sources`]
  const name = path.split('/').at(-1)
  return text.trimEnd().endsWith(`//# sourceMappingURL=${name}.map`)
    ? []
    : [`${path} does not name its source map`]
}
