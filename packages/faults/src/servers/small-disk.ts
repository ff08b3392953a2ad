import { execFile } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { mkdtemp, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Unavailable } from './database.ts'

const run = promisify(execFile)

/** A file system of its own that can be filled. */
export interface SmallDisk {
  folder: string
  /** Takes all the space that is left. */
  fill(): void
  /** Gives it back. */
  free(): void
  remove(): Promise<void>
}

/** As root, or through sudo where that asks for no password. */
async function asRoot(...words: string[]): Promise<void> {
  const [command = '', ...rest] = process.getuid?.() === 0 ? words : ['sudo', '-n', ...words]
  await run(command, rest)
}

/** Mounts a small file system in memory. Throws `Unavailable` where this user may not. */
export async function smallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-disk-'))
  try {
    await asRoot('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=1777`, 'tillkit-faults', folder)
  } catch {
    await rmdir(folder)
    throw new Unavailable('a file system in memory cannot be mounted by this user')
  }
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a')
      try {
        // In ever smaller pieces, to the last byte.
        for (let size = 1 << 20; size > 0; size >>= 1) writeAll(file, Buffer.alloc(size))
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast, { force: true }),
    async remove() {
      await asRoot('umount', '-l', folder)
      await rmdir(folder)
    },
  }
}

/** Writes a piece again and again until there is no space for it. */
function writeAll(file: number, piece: Buffer): void {
  try {
    for (;;) if (writeSync(file, piece) < piece.length) return
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
