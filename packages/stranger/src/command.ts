import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { delimiter } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** What a command is run with. */
export interface CommandOptions {
  cwd: string
  /** The folder of the Node that it runs on: that of this process. */
  node?: string
  env?: NodeJS.ProcessEnv
  /** After how long it is killed. */
  seconds?: number
}

export type Child = ChildProcessByStdio<null, Readable, Readable>

/** Starts a command as somebody would who has never heard of this repository. */
export function start([file = '', ...words]: readonly string[], { cwd, node, env }: CommandOptions): Child {
  return spawn(file, words, {
    cwd,
    env: { ...strangersEnv(node), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs a command to its end and returns what it printed; rejects with what it said when it fails. */
export async function succeed(words: readonly string[], options: CommandOptions): Promise<string> {
  const child = start(words, options)
  const limit = setTimeout(() => child.kill('SIGKILL'), (options.seconds ?? 180) * 1000)
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  )
  try {
    const [status, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
    if (status === 0) return stdout
    throw new Error(`${words.join(' ')}: ended with ${status ?? 'a signal'}\n${stderr}${stdout}`)
  } finally {
    clearTimeout(limit)
  }
}

/** Nothing that npm tells its scripts, and of programs what the machine has, after those of a Node. */
function strangersEnv(node = ''): NodeJS.ProcessEnv {
  const known = Object.entries(process.env)
  const path = (process.env.PATH ?? '').split(delimiter).filter(folder => !folder.includes('node_modules'))
  return {
    ...Object.fromEntries(known.filter(([name]) => !/^(npm_|INIT_CWD$|NODE_OPTIONS$|CI$)/i.test(name))),
    PATH: [node, ...path].filter(folder => folder !== '').join(delimiter),
  }
}
