import { readdirSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const conditions = ['@tillkit/source']

/** A package's project has the package's name, an example's `example-` before it. */
const projects = [
  ...readdirSync('packages').map(name => ({ name, root: `packages/${name}` })),
  ...readdirSync('examples').map(name => ({ name: `example-${name}`, root: `examples/${name}` })),
  { name: 'docs', root: 'docs' },
]

export default defineConfig({
  test: {
    projects: projects.map(({ name, root }) => ({
      root,
      resolve: { conditions },
      ssr: { resolve: { conditions, externalConditions: conditions } },
      test: { name, include: ['test/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
    })),
  },
})
