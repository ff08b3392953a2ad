import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { DONE, type Entry } from './entry.ts'

export interface Journal {
  write(entry: Entry): void
  close(): void
}

/**
 * A file to append to. What is written is with the operating system before the process goes on: a SIGKILL in the next
 * instruction loses none of it.
 */
export function openJournal(file: string): Journal {
  const descriptor = openSync(file, 'a')
  return {
    write: entry => void writeSync(descriptor, `${JSON.stringify(entry)}\n`),
    close: () => closeSync(descriptor),
  }
}

/** What is in the file; a line that a SIGKILL cut short was not written down and does not count. */
export function entriesIn(file: string): Entry[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  lines.pop()
  return lines.map(line => JSON.parse(line) as Entry)
}

/** Counts what a file is given while it grows: what was done, and what was refused. */
export function followJournal(file: string): () => { done: number; refused: number } {
  const descriptor = openSync(file, 'a+')
  const chunk = Buffer.alloc(1 << 16)
  const count = { done: 0, refused: 0 }
  let read = 0
  let rest = ''
  return () => {
    for (;;) {
      const size = readSync(descriptor, chunk, 0, chunk.length, read)
      if (size === 0) return { ...count }
      read += size
      const lines = (rest + chunk.toString('latin1', 0, size)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const what = /^\{"what":"(\w+)"/.exec(line)?.[1] as Entry['what']
        if (DONE.has(what) && !line.includes('"delivered":false')) count.done += 1
        if (what === 'refused') count.refused += 1
      }
    }
  }
}
