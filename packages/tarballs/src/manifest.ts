import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package.json, as far as packing looks at it. */
export interface Manifest {
  name: string
  version: string
  private?: boolean
  exports?: Record<string, Record<string, string>>
  engines?: { node?: string }
  repository?: { directory?: string }
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  [field: string]: unknown
}

/** The condition under which the packages find each other's sources in the repository, and nowhere else. */
const SOURCE = '@tillkit/source'
/** Fields that are about working in the repository. */
const OURS = ['scripts', 'devDependencies']

const manifestOf = (folder: string) => join(folder, 'package.json')
const asideOf = (folder: string) => join(folder, '.package.json.aside')

/** Reads the package.json of a folder. */
export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(manifestOf(folder), 'utf8'))
}

/** The manifest that a tarball carries: without the source condition, scripts and development dependencies. */
function published(manifest: Manifest): Manifest {
  const kept = Object.entries(manifest).filter(([field]) => !OURS.includes(field))
  const exports = Object.entries(manifest.exports ?? {}).map(([path, conditions]) => {
    const { [SOURCE]: _source, ...others } = conditions
    return [path, others]
  })
  return { ...Object.fromEntries(kept), exports: Object.fromEntries(exports) } as Manifest
}

/** Puts the package.json of a folder aside and the published one in its place. */
export function swap(folder: string): void {
  const text = `${JSON.stringify(published(readManifest(folder)), null, 2)}\n`
  renameSync(manifestOf(folder), asideOf(folder))
  writeFileSync(manifestOf(folder), text)
}

/** Whether a folder has the published package.json in the place of its own. */
export function isSwapped(folder: string): boolean {
  return existsSync(asideOf(folder))
}

/** Puts a folder's own package.json back, if it was put aside. */
export function putBack(folder: string): void {
  if (isSwapped(folder)) renameSync(asideOf(folder), manifestOf(folder))
}
