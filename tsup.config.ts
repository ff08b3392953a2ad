import { readFileSync } from 'node:fs'
import { defineConfig } from 'tsup'

/** What a package's manifest says about its build: where the source of each export is, its commands, and the oldest Node it runs on. */
interface Manifest {
  exports: Record<string, { '@tillkit/source': string }>
  bin?: Record<string, string>
  engines: { node: string }
}

const { exports, bin = {}, engines }: Manifest = JSON.parse(readFileSync('package.json', 'utf8'))

/** The build of every package that is published; each calls it in its own folder. */
export default defineConfig({
  entry: [
    ...Object.values(exports).map(conditions => conditions['@tillkit/source']),
    ...Object.values(bin).map(built => built.replace(/^dist/, 'src').replace(/js$/, 'ts')),
  ],
  format: 'esm',
  target: `node${engines.node.replace('>=', '')}`,
  clean: true,
  sourcemap: true,
  dts: true,
  removeNodeProtocol: false, // so that `node:` says that no package of that name is meant, on every runtime
})
