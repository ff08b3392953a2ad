import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import semver from 'semver'
import type { Folder } from './folder.ts'

/** What npm writes down of each package that it installed. */
interface Installed {
  engines?: { node?: string }
  dev?: boolean
}

/**
 * The oldest Node that a package names is fit for everything that was installed with it: rejects, naming what wants a newer
 * one.
 */
export async function enginesAreTrue(folder: Folder, oldest: string): Promise<void> {
  const lock = JSON.parse(await readFile(join(folder.path, 'node_modules/.package-lock.json'), 'utf8'))
  const installed: [string, Installed][] = Object.entries(lock.packages)
  const newer = installed.filter(
    ([, { engines, dev }]) => !dev && !semver.satisfies(oldest, engines?.node ?? '*'),
  )
  if (newer.length === 0) return
  const wants = newer.map(([path, { engines }]) => `${path} wants ${engines?.node}`)
  throw new Error(`Node ${oldest} is not enough: ${wants.join(', ')}`)
}
