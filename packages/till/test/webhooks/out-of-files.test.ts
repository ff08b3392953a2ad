import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const program = join(import.meta.dirname, 'programs/out-of-files.ts')
const limited = 'ulimit -n 64 && exec "$0" --conditions=@tillkit/source --no-warnings "$@"'

test.skipIf(process.platform === 'win32').each(['localhost', '127.0.0.1'])(
  'a process that may open no more files blames no receiver for it, and delivers once it may: %s',
  async host => {
    const { stdout } = await run('sh', ['-c', limited, process.execPath, program, host])
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
