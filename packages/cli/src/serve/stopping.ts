import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger, Till } from '@tillkit/till'
import type { Listening } from './server.ts'

/** For how many seconds requests in flight are waited for. */
const GRACE = 10

/** What is stopped, in this order, and what is waited for with each. */
export interface Running {
  server: Listening
  /** Charges under way, and outcomes that are not recorded yet. */
  charges: () => Promise<void>
  till: Till
  logger: Pick<Logger, 'info' | 'warn'>
  drainSeconds: number
}

/** Finishes what is in flight, and says in a sentence what it waited for. */
export async function finish({ server, charges, till, logger, drainSeconds }: Running): Promise<string> {
  if (drainSeconds > 0) {
    logger.info({ drainSeconds }, 'stopping: /health/readyz says so, and requests are answered as ever')
    await sleep(drainSeconds * 1000)
  }
  const begun = performance.now()
  logger.info({}, 'stopping: no more connections are taken')
  const { waitedFor, cut } = await server.close(GRACE)
  if (cut > 0) logger.warn({ cut }, 'connections had no answer in time, and were cut')
  const answered = performance.now()
  await charges()
  const charged = performance.now()
  const webhooks = await till.webhooks.stop()
  const milliseconds = { requests: Math.round(answered - begun), charges: Math.round(charged - answered) }
  logger.info({ requests: waitedFor, cut, webhooks, milliseconds }, 'stopped')
  const { attempts, givenUp } = webhooks
  const rest = givenUp > 0 ? `, of which ${givenUp} had not ended and will be made again` : ''
  return (
    `Stopped. Waited for ${count(waitedFor, 'request')} (${milliseconds.requests} ms), for charges (${milliseconds.charges} ms) ` +
    `and for ${count(attempts + givenUp, 'webhook')} (${webhooks.milliseconds} ms)${rest}.`
  )
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
