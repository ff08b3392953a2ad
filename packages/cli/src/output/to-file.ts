import { randomBytes } from 'node:crypto'
import { createWriteStream, type Stats } from 'node:fs'
import { lstat, open, realpath, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { stopSignal } from '../program/stop-signal.ts'
import type { Surroundings } from '../program/surroundings.ts'
import { Refused } from '../program/usage-error.ts'

/**
 * Writes a file, whole or not at all: what was there stays until all is written, also where it is stopped. What is no file,
 * such as a pipe, is written to as it comes.
 */
export async function toFile(
  around: Surroundings,
  name: string,
  pieces: AsyncIterable<string>,
): Promise<void> {
  const file = await realpath(name).catch(() => name)
  const before = await lstat(file).catch(() => undefined)
  if (before && !before.isFile()) return pipeline(pieces, createWriteStream(file))
  const { signal, forget } = stopSignal(around)
  try {
    await replace(file, before, pieces, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    throw new Refused(`it was stopped: ${name} is ${before ? 'as it was' : 'not made'}`)
  } finally {
    forget()
  }
}

/** By a file beside it, under a name that is nobody else's, which takes its name, and whose it was, and who may read it. */
async function replace(
  file: string,
  before: Stats | undefined,
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`
  const handle = await open(partial, 'wx', before?.mode)
  try {
    // Not everybody may give a file away.
    if (before) await handle.chown(before.uid, before.gid).catch(() => {})
    await pipeline(pieces, handle.createWriteStream({ flush: true }), { signal })
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}
