import { fstatSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * For how many milliseconds a stamp is counted on from. Since Linux 6.13 a stamp that was looked at has the next one made finer, and
 * with it those of all other files: each sync of a database would write out its new date as well.
 */
const GOOD_FOR = 100

let stamped: number | undefined
let last = { stamp: 0, steady: Number.NEGATIVE_INFINITY }

/**
 * The time of this machine's kernel, as it stamps it on a file that is written to: to a few milliseconds, a tenth of a second where that
 * clock is set or stood still. A process may be told another time by what it runs under; this one is the same for all of
 * them. Where no temporary file can be written, the process's own.
 */
export function fileTime(): Date {
  const since = performance.now() - last.steady
  // A steady clock that jumps is no further off than it may be.
  if (since >= 0 && since < GOOD_FOR) return new Date(Math.floor(last.stamp + since))
  // In this order, so that what is counted on from it is not ahead.
  last = { stamp: stamp(), steady: performance.now() }
  return new Date(Math.floor(last.stamp))
}

function stamp(): number {
  try {
    stamped ??= openNameless()
    writeSync(stamped, '.', 0)
    return fstatSync(stamped).mtimeMs
  } catch {
    return Date.now()
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
