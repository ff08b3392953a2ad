import { randomBytes } from 'node:crypto'
import { createWriteStream, type Stats } from 'node:fs'
import { type FileHandle, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
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
  const before = await stat(name).catch(() => undefined)
  if (before && !before.isFile()) return pipeline(pieces, createWriteStream(name))
  const file = await whereItIs(name)
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

/** Where a file is, or will be, also behind a link to what there is not yet. */
async function whereItIs(name: string): Promise<string> {
  try {
    return await realpath(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return name
    const link = await readlink(name).catch(() => null)
    return link === null ? name : whereItIs(resolve(await realpath(dirname(name)), link))
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
    if (before) await handOn(handle, before).catch(() => {})
    await pipeline(pieces, handle.createWriteStream({ flush: true }), { signal })
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** Not everybody may give a file away: one that stays its maker's is open to no more than the umask lets. */
async function handOn(handle: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  await handle.chown(uid, gid)
  await handle.chmod(mode & 0o7777)
}
