import type { Logger } from '@tillkit/till'
import type { ConsoleAction, OnAction } from './action.ts'

/** What was done here. */
export interface Journal {
  /** Writes an action down, in memory and to the host. Never rejects. */
  write(action: ConsoleAction): Promise<void>
  /** The actions of this process, the latest first, each as it ended or stands. */
  latest(): ConsoleAction[]
}

/** How many actions are kept in memory. */
export const KEPT_ACTIONS = 500

/** How long an action waits for the host to have written it down, in milliseconds. */
const PATIENCE = 5000

/**
 * An action goes on when the host's `onAction` throws, rejects or does not answer: who has to suspend a merchant tonight must not
 * be stopped by a full disk. What it did not take is in the log instead, whole, as an error.
 */
export function createJournal(onAction: OnAction | undefined, logger: Pick<Logger, 'error'>): Journal {
  const kept = new Map<string, ConsoleAction>()

  async function tell(action: ConsoleAction): Promise<void> {
    if (onAction === undefined) return
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`onAction did not answer within ${PATIENCE} ms`)), PATIENCE)
    })
    try {
      const told = async () => onAction({ ...action })
      await Promise.race([told(), late])
    } catch (error) {
      logger.error({ action, err: error }, 'an action in the console was not written down by onAction')
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async write(action) {
      kept.set(action.id, action)
      for (const id of kept.keys()) {
        if (kept.size <= KEPT_ACTIONS) break
        kept.delete(id)
      }
      await tell(action)
    },
    latest: () => [...kept.values()].reverse(),
  }
}
