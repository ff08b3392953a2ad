import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const program = (name: string) => join(import.meta.dirname, '../programs', name)
const limited = 'ulimit -n 64 && exec "$0" --conditions=@tillkit/source --no-warnings "$@"'

test.skipIf(process.platform === 'win32').each(['localhost', '127.0.0.1'])(
  'a process that may open no more files blames no receiver for it, and delivers once it may: %s',
  async host => {
    const { stdout } = await run('sh', ['-c', limited, process.execPath, program('out-of-files.ts'), host])
    const blameless = { failed: 0, failingSince: null, pausedAt: null }
    expect(JSON.parse(stdout)).toEqual({
      said: [
        { ...blameless, delivered: 1, attempts: [[null]] },
        { ...blameless, delivered: 0, attempts: [[], [null]] },
        { ...blameless, delivered: 1, attempts: [[null], [null]] },
      ],
      test: 'this process may open no more files: EMFILE',
    })
  },
)

test.skipIf(process.platform === 'win32')(
  'a worker claims nothing before it can send: what is due when it may open files again goes at once, not once a lease is over',
  async () => {
    const name = program('out-of-files-at-start.ts')
    const { stdout } = await run('sh', ['-c', limited, process.execPath, name])
    expect(JSON.parse(stdout)).toEqual({
      first: 'no webhooks claimed: undici cannot be loaded: EMFILE: too many open files, open ',
      attempts: 1,
    })
  },
)
