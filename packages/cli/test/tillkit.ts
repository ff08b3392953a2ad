import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { run, type TextStream } from '../src/index.ts'

/** What a command did. */
export interface Ran {
  status: number
  stdout: string
  stderr: string
}

/** What a test puts in the place of the process. */
export interface Around {
  env?: Record<string, string>
  stdin?: string
  stop?: AbortSignal
  /** Whether stdout and stderr are a person's terminal. */
  terminal?: boolean
  /** Called with all of stdout whenever something is written there. */
  onOutput?: (text: string) => void
}

/** Runs `tillkit` in this process. */
export async function tillkit(words: string[], around: Around = {}): Promise<Ran> {
  const out = gathering(around.terminal, around.onOutput)
  const err = gathering(around.terminal)
  const { env = {}, stdin = '', stop } = around
  const status = await run(words, {
    env,
    stdin: Readable.from([stdin]),
    stdout: out.stream,
    stderr: err.stream,
    ...(stop && { stop }),
  })
  return { status, stdout: out.text(), stderr: err.text() }
}

function gathering(isTTY = false, heard: (text: string) => void = () => {}) {
  const pieces: Buffer[] = []
  const stream = new Writable({
    write(piece, _, done) {
      pieces.push(Buffer.from(piece))
      heard(Buffer.concat(pieces).toString())
      done()
    },
  })
  return {
    stream: Object.assign(stream, { isTTY, columns: 120 }) as TextStream,
    text: () => Buffer.concat(pieces).toString(),
  }
}

/** An empty folder, and what removes it. */
export async function scratch(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-cli-'))
  return { folder, remove: () => rm(folder, { recursive: true }) }
}
