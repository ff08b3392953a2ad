import { join } from 'node:path'
import { succeed } from './command.ts'
import type { Folder } from './folder.ts'

/** The TypeScripts that are tried. */
export const TYPESCRIPTS = ['5.7', '6.0'] as const

/** How modules are found in a project. */
export const MODULES = {
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const

/** A project of a folder. */
interface Project {
  typescript: (typeof TYPESCRIPTS)[number]
  modules: keyof typeof MODULES
  include: readonly string[]
}

/** Compiles a project of a folder; rejects with what is wrong in its files and in ours. */
export type Compile = (folder: Folder, project: Project) => Promise<void>

/** Installs each TypeScript, and the types of Node, into a folder, to compile with them elsewhere. */
export async function installCompilers(tools: Folder, node: string): Promise<Compile> {
  const aliases = TYPESCRIPTS.map(version => `typescript-${version}@npm:typescript@~${version}.0`)
  await tools.install([...aliases, '@types/node'])
  const modules = join(tools.path, 'node_modules')
  const strict = {
    strict: true,
    skipLibCheck: false,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    noEmit: true,
    target: 'es2022',
    lib: ['es2023'],
    typeRoots: [join(modules, '@types')],
    types: ['node'],
  }
  return async (folder, { typescript, modules: found, include }) => {
    const config = { compilerOptions: { ...strict, ...MODULES[found] }, include }
    const project = await folder.save(`tsconfig.${typescript}.${found}.json`, JSON.stringify(config))
    const compiler = join(modules, `typescript-${typescript}`, 'bin', 'tsc')
    const words = ['node', compiler, '--pretty', 'false', '--project', project]
    await succeed(words, { cwd: folder.path, node }).catch(error => {
      const errors = String(error.message)
        .split('\n')
        .filter(line => /error TS/.test(line))
      // What is wrong with the types of a package that is not ours is not ours to mend.
      const ours = errors.filter(line => !/^[^(]*node_modules\/(?!@tillkit\/)/.test(line))
      if (errors.length === 0) throw error
      if (ours.length > 0) throw new Error(ours.join('\n'))
    })
  }
}
