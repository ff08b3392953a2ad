import { readdirSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const folders = ['packages', 'examples'].flatMap(room => readdirSync(room).map(name => `${room}/${name}`))

export default defineConfig({
  test: {
    projects: folders.map(root => ({
      root,
      resolve: { conditions: ['@tillkit/source'] },
      ssr: { resolve: { conditions: ['@tillkit/source'], externalConditions: ['@tillkit/source'] } },
      test: {
        name: root.split('/')[1] ?? root,
        include: ['test/**/*.test.ts'],
        testTimeout: 30_000,
        hookTimeout: 30_000,
      },
    })),
  },
})
