import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { putBack } from './manifest.ts'
import { publicPackages, REPOSITORY } from './public-packages.ts'
import { readTarball, type Tarball } from './tarball.ts'

/**
 * Packs every package that is published, as `npm publish` would, into a folder, which is made. Returns what is in the
 * tarballs.
 */
export async function packAll(destination: string): Promise<Tarball[]> {
  await mkdir(destination, { recursive: true })
  const packages = publicPackages()
  for (const { folder } of packages) putBack(folder) // of a pack that died
  const wanted = packages.flatMap(({ manifest }) => ['--workspace', manifest.name])
  const words = ['pack', '--foreground-scripts=false', '--pack-destination', destination, ...wanted]
  const options = { cwd: REPOSITORY, maxBuffer: 1 << 26, shell: process.platform === 'win32' }
  await promisify(execFile)('npm', words, options)
  return Promise.all(
    packages.map(async ({ folder, manifest: { name, version } }) => {
      const file = join(destination, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
      return readTarball(folder, file, await readFile(file))
    }),
  )
}
