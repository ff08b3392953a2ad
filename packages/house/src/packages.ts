import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package that is published, and the source files behind its exports. */
export interface PublicPackage {
  name: string
  entries: string[]
}

interface Manifest {
  name: string
  private?: boolean
  exports?: Record<string, string | Record<string, string>>
}

/** The packages below `root` that are published, by their folders' names. */
export function publicPackages(root: string): PublicPackage[] {
  return readdirSync(join(root, 'packages'))
    .sort()
    .map(folder => join(root, 'packages', folder))
    .map(folder => ({ folder, manifest: manifestIn(folder) }))
    .filter(({ manifest }) => !manifest.private)
    .map(({ folder, manifest }) => ({ name: manifest.name, entries: entriesOf(folder, manifest) }))
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function entriesOf(folder: string, { exports = {} }: Manifest): string[] {
  return Object.values(exports)
    .map(target => (typeof target === 'string' ? undefined : target['@tillkit/source']))
    .filter(source => source !== undefined)
    .map(source => join(folder, source))
}
