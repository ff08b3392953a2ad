import type { CommandSpec } from '../program/command-spec.ts'
import { STORE_SETTINGS } from '../settings/settings.ts'

/** Delivers webhooks in a process of its own. */
export const worker: CommandSpec = {
  name: 'worker',
  about: 'Delivers webhooks until it is stopped; with --processor it asks about pending payments too.',
  settings: [
    ...STORE_SETTINGS,
    'host',
    'port',
    'webhookHttp',
    'webhookNetworks',
    'processor',
    'reconcileAfter',
    'logLevel',
    'telemetry',
  ],
  examples: [
    ['tillkit worker --database till.db', 'beside tillkit serve --without-worker'],
    ['tillkit worker --processor ./processor.js', 'asks your processor how pending payments ended'],
  ],
  notes: `
Any number may run. With --port it answers /health/livez and /health/readyz there, and nowhere when that is left out. SIGTERM or SIGINT stops it after what it has in flight; a second one ends it at once.`,
  async check(values, given, found) {
    const { checkWorker } = await import('../serve/check.ts')
    return checkWorker(values, given, found)
  },
  async run(job) {
    const { work } = await import('../serve/work.ts')
    await work(job)
    return 0
  },
}
