import { healthEndpoints } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { closeAll } from '../program/close-all.ts'
import type { Job } from '../program/command-spec.ts'
import { stopSignal } from '../program/stop-signal.ts'
import { openStorage } from '../store/open-storage.ts'
import { openTill } from '../store/open-till.ts'
import { createLog } from './logs/logger.ts'
import { startTelemetry } from './logs/telemetry.ts'
import { loadProcessor } from './processor/processor.ts'
import { startReconciling } from './reconciling.ts'
import { listen } from './server.ts'

/** Delivers webhooks, and asks the processor about pending payments, until it is stopped. */
export async function work({ around, print, settings }: Job): Promise<void> {
  const { signal, forget } = stopSignal(around)
  const { logger, flush } = createLog(around, settings)
  // What is to be done whatever happens, the last first.
  const closings: (() => Promise<unknown>)[] = [flush, async () => forget()]
  try {
    // Before all that may fail: the check has loaded it, and left it open.
    const loaded = settings.processor === undefined ? undefined : await loadProcessor(settings.processor)
    if (loaded) closings.push(loaded.close)
    const storage = await openStorage(settings)
    closings.push(() => storage.close())
    const till = await openTill(storage, settings, logger)
    closings.push(() => till.close())
    await till.webhooks.counts() // where the tables are not there nothing is delivered
    closings.push(await startTelemetry(settings, till, logger))
    const { reconcileAfter = 120, host = '127.0.0.1', port } = settings
    if (port !== undefined) {
      const server = await listen(host, port, undefined)
      closings.push(() => server.close(1))
      server.answer(toNode({ '/health': healthEndpoints(till, { signal, worker: true }) }, { logger }))
      logger.info({ address: `${server.origin}/health` }, 'says how it is')
    }
    const lookup = loaded?.processor.lookup?.bind(loaded.processor)
    logger.info({ reconciles: lookup !== undefined }, 'working')
    await print.text({ working: true }, 'Working. Ctrl-C stops it.')
    const askNoMore = startReconciling(till, lookup, reconcileAfter, signal)
    closings.push(askNoMore)
    const stopped = await till.webhooks.run({ signal })
    await askNoMore()
    logger.info({ webhooks: stopped }, 'stopped')
    const { attempts, givenUp, milliseconds } = stopped
    const rest = givenUp > 0 ? `, of which ${givenUp} had not ended and will be made again` : ''
    print.note(`Stopped. Waited for webhooks under way: ${attempts + givenUp} (${milliseconds} ms)${rest}.`)
  } finally {
    await closeAll(closings)
  }
}
