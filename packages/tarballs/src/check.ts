import { contents } from './checks/contents.ts'
import { imports } from './checks/imports.ts'
import { links } from './checks/links.ts'
import { manifest } from './checks/manifest.ts'
import { publint } from './checks/publint.ts'
import { typesResolve } from './checks/types-resolve.ts'
import type { Tarball } from './tarball.ts'

/** What is wrong with a tarball, a line a problem. */
export async function check(tarball: Tarball): Promise<string[]> {
  const checks = [contents, manifest, imports, links, publint, typesResolve]
  return (await Promise.all(checks.map(check => check(tarball)))).flat()
}
