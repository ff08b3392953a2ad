import type { Readable, Writable } from 'node:stream'

/** Where a command writes to. */
export type TextStream = Writable & {
  /** Whether a person looks at it: then there are colours and progress bars. */
  isTTY?: boolean
  /** How wide it is, in characters. */
  columns?: number
}

/** What a command is run with: `process` is one. */
export interface Surroundings {
  /** Environment variables. */
  env: Readonly<Record<string, string | undefined>>
  /** What keys and payloads are read from where a command says so. */
  stdin: Readable
  /** What was asked for, and nothing else. */
  stdout: TextStream
  /** What went wrong, progress, logs. */
  stderr: TextStream
  /** Stops a command that runs until it is stopped, as SIGTERM does: for tests. */
  stop?: AbortSignal
}
