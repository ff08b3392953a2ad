import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'

/** A program that runs, and what it has said. */
export interface Running {
  child: ChildProcessByStdio<null, Readable, Readable>
  /** Resolves with the match once what was printed matches; rejects when the program ends before. */
  said(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends the signal and resolves with how the program ended, and all that it said. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
  /** Resolves when it has ended by itself. */
  ended: Promise<Ended>
}

interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  output: string
}

/** A folder in which Tillkit is installed, from its sources: the reader's own. */
export async function openFolder() {
  const path = await mkdtemp(join(import.meta.dirname, '../.scratch-'))
  const children: Running[] = []
  onTestFinished(async () => {
    for (const { child } of children) child.kill('SIGKILL')
    await Promise.all(children.map(({ ended }) => ended))
    await rm(path, { recursive: true })
  })
  return {
    path,
    write: (file: string, text: string) => writeFile(join(path, file), text),
    /** Runs `node` with these arguments. */
    node(args: string[], env: Record<string, string> = {}): Running {
      const running = run(process.execPath, ['--conditions=@tillkit/source', ...args], path, env)
      children.push(running)
      return running
    },
    /** Runs another program. */
    run(command: string, args: string[], env: Record<string, string> = {}): Running {
      const running = run(command, args, path, env)
      children.push(running)
      return running
    },
  }
}

export type Folder = Awaited<ReturnType<typeof openFolder>>

function run(command: string, args: string[], cwd: string, env: Record<string, string>): Running {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      output += text
      child.emit('said')
    })
  }
  const ended: Promise<Ended> = once(child, 'close').then(([code, signal]) => {
    child.emit('said')
    return { code, signal, output }
  })
  let over = false
  ended.then(
    () => {
      over = true
      child.emit('said')
    },
    () => {},
  )
  return {
    child,
    ended,
    async said(pattern) {
      for (;;) {
        const match = pattern.exec(output)
        if (match) return match
        if (over) throw new Error(`${command} ${args.join(' ')} ended and never said ${pattern}:\n${output}`)
        await once(child, 'said')
      }
    },
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}
