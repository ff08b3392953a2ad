import { healthEndpoints, notMounted } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { closeAll } from '../program/close-all.ts'
import type { Job } from '../program/command-spec.ts'
import { stopSignal } from '../program/stop-signal.ts'
import { openStorage } from '../store/open-storage.ts'
import { openTill } from '../store/open-till.ts'
import { trustOf } from './check.ts'
import { createHandlers } from './handlers.ts'
import { withAccessLog } from './logs/access-log.ts'
import { createLog } from './logs/logger.ts'
import { startTelemetry } from './logs/telemetry.ts'
import { migrateUntil } from './migrating.ts'
import { loadProcessor } from './processor/processor.ts'
import { startReconciling } from './reconciling.ts'
import { renewOn } from './renewing.ts'
import { listen } from './server.ts'
import { finish } from './stopping.ts'
import { readCredentials } from './tls.ts'

/** Serves until it is stopped, then finishes what is in flight. The settings have been checked. */
export async function serveTill({ around, print, settings }: Job): Promise<void> {
  const { signal, forget } = stopSignal(around)
  const { logger, flush } = createLog(around, settings)
  // What is to be done whatever happens, the last first.
  const closings: (() => Promise<unknown>)[] = [flush, async () => forget()]
  try {
    // Before all that may fail: the check has loaded it, and left it open.
    const loaded = settings.processor === undefined ? undefined : await loadProcessor(settings.processor)
    if (loaded) closings.push(loaded.close)
    const processor = loaded?.processor
    const storage = await openStorage(settings, { made: !settings.withoutMigrate })
    closings.push(() => storage.close())
    if (!settings.withoutMigrate && !(await migrateUntil(signal, storage))) {
      logger.info({}, 'stopped before it served')
      print.note('Stopped while the tables were brought up to date: the next start goes on with that.')
      return
    }
    const till = await openTill(storage, settings, logger)
    closings.push(() => till.close())
    await till.merchants.list({ limit: 1 }) // where the tables are not there nothing is served
    closings.push(await startTelemetry(settings, till, logger))

    const { reconcileAfter = 120, drainSeconds = 0, host = '127.0.0.1', port = 3000 } = settings
    const server = await listen(host, port, readCredentials(settings))
    closings.push(() => server.close(0))
    const qrBaseUrl = settings.qrBaseUrl ?? server.origin
    const { mounts, close: charges } = createHandlers({ till, qrBaseUrl, processor }, settings, make =>
      make(),
    )
    // A backlog of webhooks is no reason to send requests elsewhere.
    const all = { ...mounts, '/health': healthEndpoints(till, { signal, worker: false }) }
    const handlers = { '/': async (request: Parameters<typeof notMounted>[0]) => notMounted(request), ...all }
    const logged = settings.accessLog ? withAccessLog(handlers, logger) : handlers
    server.answer(toNode(logged, { logger, ...trustOf(settings) }))

    const renewed = renewOn(server, settings, logger)
    const askNoMore = startReconciling(till, processor?.lookup?.bind(processor), reconcileAfter, signal)
    closings.push(askNoMore)
    if (!settings.withoutWorker) till.webhooks.start()
    if (settings.insecureHttp) logger.warn({}, 'plain HTTP is answered: for your own machine alone')
    const paths = Object.keys(all)
    logger.info({ origin: server.origin, paths }, 'serving')
    const addresses = Object.fromEntries(paths.map(path => [path, `${server.origin}${path}`]))
    const words = `Serving ${server.origin}: ${paths.join(', ')}. Ctrl-C stops it.`
    await print.text({ origin: server.origin, addresses }, words)

    await until(signal)
    renewed()
    const said = await finish({ server, charges, till, logger, drainSeconds })
    await askNoMore()
    print.note(said)
  } finally {
    await closeAll(closings)
  }
}

function until(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
