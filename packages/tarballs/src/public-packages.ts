import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Manifest, readManifest } from './manifest.ts'

/** The root of the repository. */
export const REPOSITORY = resolve(import.meta.dirname, '../../..')

/** A package that is published: its folder and its package.json. */
export interface PublicPackage {
  folder: string
  manifest: Manifest
}

/** Every package that is published, by name. */
export function publicPackages(): PublicPackage[] {
  const packages = join(REPOSITORY, 'packages')
  return readdirSync(packages)
    .map(name => join(packages, name))
    .filter(folder => existsSync(join(folder, 'package.json')))
    .map(folder => ({ folder, manifest: readManifest(folder) }))
    .filter(({ manifest }) => !manifest.private)
}
