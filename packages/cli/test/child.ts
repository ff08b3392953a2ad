import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A command that runs in a process of its own. */
export interface Child {
  process: ChildProcessWithoutNullStreams
  /** What it has said so far. */
  said: { stdout: string; stderr: string }
  /** Resolves once it has said something that matches; rejects where it ended without. */
  says(on: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray>
  /** How it ended: its status, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>
}

export const COMMAND = join(import.meta.dirname, '../src/command.ts')

/** What Node is run with, to run the command. */
export const NODE = ['--conditions=@tillkit/source', COMMAND]

/** Where and by what a command is run that is not run as it is. */
interface Elsewhere {
  /** The words before those that run it. */
  wrapper?: string[]
  /** Where a path of this repository is there. */
  at?: (path: string) => string
}

/** Runs the command, or what a wrapper makes of it, in an environment of nothing but `env` and the path. */
export function child(
  words: string[],
  env: Record<string, string> = {},
  { wrapper = [], at = path => path }: Elsewhere = {},
): Child {
  const [program = '', ...args] = [...wrapper, ...[process.execPath, ...NODE].map(at), ...words]
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const started = spawn(program, args, { env: { PATH, NODE_COMPILE_CACHE, ...env } })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    started[name].setEncoding('utf8').on('data', text => {
      said[name] += text
      started.emit('said')
    })
  }
  const ended = once(started, 'close').then(([code, signal]) => code ?? signal)
  let over = false
  ended.then(() => {
    over = true
    started.emit('said')
  })
  return {
    process: started,
    said,
    ended,
    async says(on, pattern) {
      for (;;) {
        const found = pattern.exec(said[on])
        if (found) return found
        if (over) throw new Error(`it ended without saying ${pattern}: ${JSON.stringify(said)}`)
        await once(started, 'said')
      }
    },
  }
}
