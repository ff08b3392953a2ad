import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

const conditions = ['@tillkit/source']

// Workers and the many processes that tests start read the same sources: each is compiled once.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/tillkit-tests')

/**
 * Many tests wait for a network, a server or another process: one worker more than there are cores keeps these busy.
 * Four files of tests at once stay below the hundred connections that PostgreSQL has.
 */
const maxWorkers = Math.min(availableParallelism() + 1, 4)

/** A package's project has the package's name, an example's `example-` before it. */
const projects = [
  ...readdirSync('packages').map(name => ({ name, root: `packages/${name}` })),
  ...readdirSync('examples').map(name => ({ name: `example-${name}`, root: `examples/${name}` })),
  { name: 'docs', root: 'docs' },
]

export default defineConfig({
  test: {
    maxWorkers,
    projects: projects.map(({ name, root }) => ({
      root,
      resolve: { conditions },
      ssr: { resolve: { conditions, externalConditions: conditions } },
      test: { name, include: ['test/**/*.test.ts'], testTimeout: 180_000, hookTimeout: 180_000 },
    })),
  },
})
