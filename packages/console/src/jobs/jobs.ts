import { randomBytes } from 'node:crypto'
import { TillError } from '@tillkit/domain'
import type { Logger } from '@tillkit/till'
import { LRUCache } from 'lru-cache'

/** Something that takes longer than a request, and how far it is. */
interface Job {
  /** Whose it is; null for what is about all. */
  merchantId: string | null
  /** How it stands. */
  state: 'running' | 'done' | 'failed'
  /** How many were dealt with, when it is done. */
  count: number
  /** Why it failed, fit to show. */
  problem: string | null
}

/** What goes on in this process after the answer was sent. It is forgotten when the process ends; what it did is not. */
export interface Jobs {
  /** Begins, and returns its name. `work` resolves to how many it dealt with. */
  begin(merchantId: string | null, work: () => Promise<number>): string
  /** The job of a name; undefined for one that another process has, or nobody. */
  get(name: string): Job | undefined
}

export function createJobs(logger: Pick<Logger, 'error'>): Jobs {
  const jobs = new LRUCache<string, Job>({ max: 200 })

  async function run(job: Job, work: () => Promise<number>): Promise<void> {
    try {
      job.count = await work()
      job.state = 'done'
    } catch (error) {
      job.state = 'failed'
      job.problem = error instanceof TillError ? error.message : 'the log says why'
      logger.error(
        { err: error, merchantId: job.merchantId },
        'what was begun in the console did not end well',
      )
    }
  }

  return {
    begin(merchantId, work) {
      const name = randomBytes(9).toString('base64url')
      const job: Job = { merchantId, state: 'running', count: 0, problem: null }
      jobs.set(name, job)
      void run(job, work)
      return name
    },
    get: name => jobs.get(name),
  }
}
