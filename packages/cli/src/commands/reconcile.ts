import type { Lookup } from '@tillkit/till'
import type { CommandSpec } from '../program/command-spec.ts'
import { EXIT } from '../program/exit-status.ts'
import { type HostModule, loadModule } from '../program/host-module.ts'
import { stopSignal } from '../program/stop-signal.ts'
import { UsageError } from '../program/usage-error.ts'
import { onTill } from '../store/on-till.ts'
import { number } from './page.ts'

interface Flags {
  with?: string
  olderThanSeconds?: string
  concurrency?: string
}

/** Asks a processor, once, what became of pending payments. */
export const reconcile: CommandSpec = onTill<[], Flags>({
  name: 'reconcile',
  about: 'Asks your processor what became of pending payments, once, and records what it knows.',
  options: [
    [
      '--with <module>',
      'a module that exports lookup, or a processor that has one, and close where it has something to end',
    ],
    ['--older-than-seconds <number>', 'those that have been pending for longer (default: 120)'],
    ['--concurrency <number>', 'how many are asked about at a time (default: 8)'],
  ],
  examples: [
    ['tillkit reconcile --with ./processor.js', 'once a day by cron, where no worker does it'],
    ['tillkit reconcile --with ./processor.js --older-than-seconds 3600', 'those of an hour ago and before'],
  ],
  notes: `
lookup(payment) answers { status: 'completed' }, { status: 'error', failure }, { status: 'pending' } or { status: 'unknown' }, as
docs/processor.md has it. It ends with 1 where a lookup or a record failed: those payments stay pending, and are asked about the next
time. SIGTERM or SIGINT stops it after the lookups under way.`,
  async run({ around, till, print }, _, { with: module, ...flags }) {
    if (module === undefined)
      throw new UsageError('--with <module> is needed: what the processor is asked by')
    const { exports, close } = await loadModule('--with', module)
    const { signal, forget } = stopSignal(around)
    try {
      const asked = await till.payments.reconcile(lookupOf(exports, module), {
        olderThanSeconds: number('--older-than-seconds', flags.olderThanSeconds) ?? 120,
        concurrency: number('--concurrency', flags.concurrency),
        signal,
      })
      await print.one(asked, Object.entries(asked))
      return asked.errors > 0 ? EXIT.refused : EXIT.done
    } finally {
      forget()
      await close()
    }
  },
})

function lookupOf(exports: HostModule['exports'], name: string): Lookup {
  const processor = Object(exports.processor ?? exports.default) as { lookup?: unknown }
  if (typeof exports.lookup === 'function') return exports.lookup as Lookup
  if (typeof processor.lookup === 'function') return processor.lookup.bind(processor) as Lookup
  throw new UsageError(`--with ${name} must export lookup, a function, or processor, an object that has one`)
}
