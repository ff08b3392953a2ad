import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Lookup } from '@tillkit/till'
import type { CommandSpec } from '../program/command-spec.ts'
import { EXIT } from '../program/exit-status.ts'
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
    ['--with <module>', 'a module that exports lookup, or a processor that has one'],
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
    const lookup = await loadLookup(module)
    const { signal, forget } = stopSignal(around)
    const asked = await till.payments
      .reconcile(lookup, {
        olderThanSeconds: number('--older-than-seconds', flags.olderThanSeconds) ?? 120,
        concurrency: number('--concurrency', flags.concurrency),
        signal,
      })
      .finally(forget)
    await print.one(asked, Object.entries(asked))
    return asked.errors > 0 ? EXIT.refused : EXIT.done
  },
})

async function loadLookup(name: string): Promise<Lookup> {
  let module: Record<string, unknown>
  try {
    module = await import(pathToFileURL(resolve(name)).href)
  } catch (error) {
    const [why] = (error as Error).message.split(/\n| imported from /)
    throw new UsageError(`--with ${name} cannot be loaded: ${why}`)
  }
  const processor = Object(module.processor ?? module.default) as { lookup?: unknown }
  if (typeof module.lookup === 'function') return module.lookup as Lookup
  if (typeof processor.lookup === 'function') return processor.lookup.bind(processor) as Lookup
  throw new UsageError(`--with ${name} must export lookup, a function, or processor, an object that has one`)
}
