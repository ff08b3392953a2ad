import { builtinModules } from 'node:module'
import ts from 'typescript'
import type { Tarball } from '../tarball.ts'

/**
 * Whatever a program or its types import is a file of the tarball, a built-in module that says so (`node:`), or a package that
 * it depends on.
 */
export function imports({ files, manifest }: Tarball): string[] {
  const known = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, [manifest.name]: '' })
  return [...files].flatMap(([path, text]) => {
    if (!/\.(js|d\.ts)$/.test(path)) return []
    return ts.preProcessFile(text).importedFiles.flatMap(({ fileName: name }) => {
      if (name.startsWith('.') || name.startsWith('node:')) return []
      const wanted = /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name
      if (builtinModules.includes(wanted)) return [`${path} imports ${name} without node:`]
      return known.includes(wanted) ? [] : [`${path} imports ${name}, which is no dependency`]
    })
  })
}
