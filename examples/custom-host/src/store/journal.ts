import { type FileHandle, open } from 'node:fs/promises'
import { parseJson } from '@tillkit/domain'

/** A file that entries are only ever added to, one line of JSON each. */
export interface Journal {
  /** Adds an entry; resolves once it is on the disk. Entries are there in the order of the calls. */
  append(entry: unknown): Promise<void>
  /** Resolves once everything appended so far is on the disk. */
  flushed(): Promise<void>
  close(): Promise<void>
}

/** Opens a journal, made when it is not there, and hands each entry to `replay`, oldest first. */
export async function openJournal(path: string, replay: (entry: unknown) => Promise<void>): Promise<Journal> {
  const file = await open(path, 'a+')
  for (const line of await wholeLines(file)) await replay(parseJson(line))

  let waiting: string[] = []
  let next: Promise<void> | undefined
  let last = Promise.resolve()

  /** Everything that waits goes to the disk in one write: calls at the same moment share it. */
  async function flush(): Promise<void> {
    next = undefined
    const text = waiting.join('')
    waiting = []
    await file.appendFile(text)
    await file.datasync()
  }

  return {
    append(entry) {
      waiting.push(`${JSON.stringify(entry)}\n`)
      if (next === undefined) {
        // A failed write fails all that come after it: what it left on the disk is not known.
        next = last.then(flush)
        last = next
        last.catch(() => {})
      }
      return next
    },
    flushed: () => last,
    async close() {
      await last
      await file.close()
    },
  }
}

/** The lines of the file. One that a crash cut short was never acknowledged, and is taken away. */
async function wholeLines(file: FileHandle): Promise<string[]> {
  const bytes = await file.readFile()
  const end = bytes.lastIndexOf('\n') + 1
  if (end < bytes.length) await file.truncate(end)
  return end === 0 ? [] : bytes.toString('utf8', 0, end - 1).split('\n')
}
