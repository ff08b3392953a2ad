import { fstatSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let stamped: number | undefined

/**
 * The time of this machine's kernel, as it stamps it on a file that is written to: to a few milliseconds, never ahead. A
 * process may be told another time by what it runs under; this one is the same for all of them. Where no temporary file
 * can be written, the process's own.
 */
export function fileTime(): Date {
  try {
    stamped ??= openNameless()
    writeSync(stamped, '.', 0)
    return new Date(Math.floor(fstatSync(stamped).mtimeMs))
  } catch {
    return new Date()
  }
}

/** A file that goes when this process does. */
function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'tillkit-time-'))
  try {
    return openSync(join(folder, 'stamped'), 'wx')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
