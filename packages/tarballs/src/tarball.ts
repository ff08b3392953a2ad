import { createPackageFromTarballData } from '@arethetypeswrong/core'
import type { Manifest } from './manifest.ts'

/** A packed package. */
export interface Tarball {
  /** The package's folder in the repository. */
  folder: string
  /** The tarball. */
  file: string
  bytes: Uint8Array
  /** The package.json in it. */
  manifest: Manifest
  /** What is in it, by path below the package: `dist/index.js`. */
  files: ReadonlyMap<string, string>
}

/** Reads a tarball that was packed from a folder. */
export function readTarball(folder: string, file: string, bytes: Uint8Array): Tarball {
  const packed = createPackageFromTarballData(bytes)
  const root = `/node_modules/${packed.packageName}/`
  const files = new Map(packed.listFiles().map(path => [path.slice(root.length), packed.readFile(path)]))
  return { folder, file, bytes, files, manifest: JSON.parse(files.get('package.json') ?? '{}') }
}
