import { relative } from 'node:path'
import type { Manifest } from '../manifest.ts'
import { publicPackages, REPOSITORY } from '../public-packages.ts'
import type { Tarball } from '../tarball.ts'

const EXPECTED: Record<string, (manifest: Manifest, folder: string) => boolean> = {
  'a description': ({ description }) => typeof description === 'string' && description.endsWith('.'),
  keywords: ({ keywords }) => Array.isArray(keywords) && keywords.length > 3,
  homepage: ({ homepage }) => typeof homepage === 'string',
  bugs: ({ bugs }) => typeof bugs === 'string',
  'license: MIT': ({ license }) => license === 'MIT',
  'type: module': ({ type }) => type === 'module',
  'sideEffects: false': ({ sideEffects }) => sideEffects === false,
  engines: ({ engines }) => /^>=\d+/.test(engines?.node ?? ''),
  'its directory in repository': ({ repository }, folder) =>
    repository?.directory === relative(REPOSITORY, folder).replaceAll('\\', '/'),
  'publishConfig with provenance': ({ publishConfig }) =>
    JSON.stringify(publishConfig) === '{"access":"public","provenance":true}',
  'no scripts or devDependencies': ({ scripts, devDependencies }) => !scripts && !devDependencies,
  'exports of types, then default, and nothing else': ({ exports }) =>
    Object.values(exports ?? {}).every(conditions => String(Object.keys(conditions)) === 'types,default'),
}

/** What a registry shows and a package manager follows is there; nothing depends on a package that is not published. */
export function manifest({ manifest, folder }: Tarball): string[] {
  const names = publicPackages().map(({ manifest }) => manifest.name)
  const missing = Object.entries(EXPECTED).filter(([, holds]) => !holds(manifest, folder))
  const dependencies = { ...manifest.dependencies, ...manifest.peerDependencies }
  return [
    ...missing.map(([field]) => `package.json has not ${field}`),
    ...Object.entries(dependencies).flatMap(([name, range]) => {
      if (!name.startsWith('@tillkit/')) return []
      if (!names.includes(name)) return [`it depends on ${name}, which is not published`]
      return range === manifest.version ? [] : [`it depends on ${name} ${range}, not on its own version`]
    }),
    ...Object.keys(manifest.peerDependenciesMeta ?? {})
      .filter(name => manifest.peerDependencies?.[name] === undefined)
      .map(name => `peerDependenciesMeta names ${name}, which is no peer`),
  ]
}
