import { stat } from 'node:fs/promises'
import { type Finding, findingsOf } from '@tillkit/domain'
import { isReadOnly } from '../../dialects/sqlite.ts'
import { changingNothing } from '../../session/transactions/changing-nothing.ts'
import type { Looking } from '../looking.ts'

const { ok, warning, problem } = findingsOf('locks')

/** SQLite takes its log over into the file every few MiB, unless somebody still reads what is before it. */
const LONG_LOG = 64 * 2 ** 20

/** Whether the lock of the file is to be had, whether the file may be written, and whether somebody reads without end: SQLite tells not who. */
export async function inspectFile({ write, dialect, tables }: Looking, file: string): Promise<Finding[]> {
  const findings: Finding[] = []
  const began = performance.now()
  try {
    // A file that is only read has no lock that is taken, and lets a transaction begin.
    const isRefused = await write(session =>
      session.change(changingNothing(tables)).then(
        () => false,
        error => {
          if (isReadOnly(error)) return true
          if (dialect.isMissingTable(error)) return false
          throw error
        },
      ),
    )
    findings.push(
      isRefused
        ? problem(
            'The file cannot be written, and takes no payments.',
            `See who owns ${file}, which rights it has, and whether its disk was mounted to be read only.`,
          )
        : ok('The lock of the file was to be had.'),
    )
  } catch (error) {
    if (!dialect.isTransient((error as { cause?: unknown }).cause ?? error)) throw error
    const seconds = Math.round((performance.now() - began) / 1000)
    findings.push(
      problem(
        `The lock of the file was not to be had for ${seconds} s: another process is in the midst of a write.`,
        `Find the process that has ${file} open (lsof, fuser), and see why its transaction does not end.`,
      ),
    )
  }
  const size = await stat(`${file}-wal`).then(
    ({ size }) => size,
    () => 0,
  )
  if (size > LONG_LOG) {
    findings.push(
      warning(
        `The write-ahead log has grown to ${Math.round(size / 2 ** 20)} MiB: somebody has been reading since it began.`,
        `Find the process that has ${file} open (lsof, fuser), and see why its read does not end.`,
      ),
    )
  }
  return findings
}
