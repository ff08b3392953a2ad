import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** The packages from npm that a process has loaded which only imports these. */
async function loadedBy(...specifiers: string[]): Promise<string[]> {
  const program = fileURLToPath(new URL('loaded.js', import.meta.url))
  const args = ['--conditions=@tillkit/source', program, ...specifiers]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname })
  return JSON.parse(stdout)
}

test.each(['sqlite', 'postgres', 'mysql'])(
  'an import of all that a host on %s has loads no driver, no query builder, no client',
  async engine => {
    const storage = `@tillkit/storage-kysely/${engine}`
    const own = ['@tillkit/till', '@tillkit/http', '@tillkit/node', '@tillkit/checkout']
    expect(await loadedBy(storage, ...own)).toEqual([
      '@noble/hashes',
      'content-type',
      'forwarded',
      'ipaddr.js',
      'lru-cache',
      'negotiator',
      'proxy-addr',
      'rate-limiter-flexible',
      'zod',
    ])
  },
)
