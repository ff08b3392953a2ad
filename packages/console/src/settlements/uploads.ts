import { randomBytes } from 'node:crypto'
import { TillError } from '@tillkit/domain'
import type { Imported, ImportProgress, Logger, Till } from '@tillkit/till'
import type { StatementFormat } from '@tillkit/till/statement'
import { LRUCache } from 'lru-cache'

/** A statement that somebody handed in, and what is being done with it. */
export interface Upload {
  /** The reference on the merchants' bank statements. */
  statementReference: string
  /** `tried` when it is known what an import would do; `refused` where that could not be told, `failed` where an import ended early. */
  state: 'trying' | 'tried' | 'refused' | 'importing' | 'imported' | 'failed'
  /** How far that is; null before the first rows. */
  progress: ImportProgress | null
  /** What an import would do, or did; null before. */
  result: Imported | null
  /** Why it failed, fit to show. */
  problem: string | null
}

/** What a statement is made of. */
interface Statement {
  /** The reference on the merchants' bank statements. */
  statementReference: string
  /** The file. */
  bytes: Uint8Array
  /** How it is written. */
  format: StatementFormat
}

/** Statements that were handed in, in this process's memory for an hour: first tried, and imported when somebody has seen what that does. */
export interface Uploads {
  /** Takes one, begins to try it, and returns its name. */
  add(statement: Statement): string
  /** One by its name; undefined where this process does not have it. */
  get(name: string): Upload | undefined
  /** Begins to import one that was tried. Throws `conflict` for any other. */
  import(name: string): Upload
}

const MEGABYTES = 64
const KEPT_FOR = 3_600_000

export function createUploads(till: Till, logger: Pick<Logger, 'error'>): Uploads {
  const kept = new LRUCache<string, { statement: Statement; upload: Upload }>({
    maxSize: MEGABYTES * 1024 * 1024,
    sizeCalculation: ({ statement }) => statement.bytes.length + 1,
    ttl: KEPT_FOR,
  })

  async function run(
    { bytes, format, statementReference }: Statement,
    upload: Upload,
    dryRun: boolean,
  ): Promise<void> {
    const onProgress = (progress: ImportProgress) => {
      upload.progress = progress
    }
    try {
      // With the first statement, since many a process reads none.
      const { readStatement } = await import('@tillkit/till/statement')
      const rows = readStatement([bytes], format)
      upload.result = await till.settlements.import({ statementReference, rows, dryRun, onProgress })
      upload.state = dryRun ? 'tried' : 'imported'
    } catch (error) {
      upload.state = dryRun ? 'refused' : 'failed'
      upload.problem = error instanceof TillError ? error.message : 'it went wrong, and the log says why'
      logger.error({ err: error, statementReference }, 'a statement was not imported whole')
    }
  }

  return {
    add(statement) {
      const name = randomBytes(12).toString('base64url')
      const { statementReference } = statement
      const upload: Upload = {
        statementReference,
        state: 'trying',
        progress: null,
        result: null,
        problem: null,
      }
      kept.set(name, { statement, upload })
      void run(statement, upload, true)
      return name
    },
    get: name => kept.get(name)?.upload,
    import(name) {
      const found = kept.get(name)
      if (found?.upload.state !== 'tried') {
        throw new TillError(
          'conflict',
          'this statement was not tried by this process, or is imported already: hand it in again',
        )
      }
      const { statement, upload } = found
      Object.assign(upload, { state: 'importing', progress: null, result: null })
      void run(statement, upload, false)
      return upload
    },
  }
}
