import { join } from 'node:path'
import type { Tarball } from '@tillkit/tarballs'

/** What can be imported of a package: `@tillkit/storage/memory`. */
export function entriesOf({ manifest }: Tarball): string[] {
  return Object.keys(manifest.exports ?? {}).map(path => join(manifest.name, path).replaceAll('\\', '/'))
}
