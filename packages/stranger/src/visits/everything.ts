import { succeed } from '../command.ts'
import { entriesOf } from '../entries.ts'
import { OF_HOSTS } from '../nodes.ts'
import type { Visit } from '../stay.ts'

/** Every package with every peer, in one folder: each export can be imported, and required, with the same names in it. */
export const everythingVisit: Visit = async ({ tarballs, nodes, results, folder }) => {
  const everything = await folder('everything')
  const ours = tarballs.map(({ manifest }) => manifest.name)
  const peers = tarballs.flatMap(({ manifest }) => Object.entries(manifest.peerDependencies ?? {}))
  const words = [...ours, ...peers.map(([name, range]) => `${name}@${range}`)]
  const installed = await results.try(
    'all packages',
    'npm install, with their peers',
    '24.21.0',
    async () => {
      await everything.install(words)
      await succeed(['npm', 'ls', '--all'], { cwd: everything.path, node: nodes['24.21.0'] })
    },
  )
  if (!installed) return
  const entries = tarballs.flatMap(entriesOf)
  const imports = await everything.save(
    'imports.mjs',
    entries
      .map(name => `console.log('${name}', Object.keys(await import('${name}')).sort().join())\n`)
      .join(''),
  )
  const requires = await everything.save(
    'requires.cjs',
    entries.map(name => `console.log('${name}', Object.keys(require('${name}')).sort().join())\n`).join(''),
  )
  for (const version of OF_HOSTS) {
    const options = { cwd: everything.path, node: nodes[version] }
    await results.try('all packages', 'import', version, () => succeed(['node', imports], options))
    await results.try('all packages', 'require(), in CommonJS', version, async () => {
      const printed = await succeed(['node', '--throw-deprecation', requires], options)
      if (printed !== (await succeed(['node', imports], options)))
        throw new Error(`other names than import: ${printed}`)
    })
  }
}
