import { type Finding, findingsOf, instant, validate, worstOf } from '@tillkit/domain'
import type { InspectionRequest, Storage, StorageInspection } from '@tillkit/storage'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { messageOf } from '../error-message.ts'
import type { Till } from '../till.ts'
import { clockFindings } from './clock-findings.ts'
import type { InspectedCounts } from './inspection.ts'
import { rowFindings } from './row-findings.ts'

const inspectOptions = z.strictObject({
  longTransactionSeconds: z
    .number()
    .min(0, 'must be a number of seconds, 0 or more')
    .max(31_536_000, 'must be a number of seconds up to 31536000, a year')
    .default(60),
})

/** Looks at everything and changes nothing. A database that fails is what was found. */
export function inspect(context: Context, hasSecrets: boolean): Till['inspect'] {
  const { storage, clock, webhookKeys } = context
  const ofDatabase = findingsOf('database')

  const counted = async (inspected: StorageInspection): Promise<InspectedCounts | null> => {
    if (inspected.counts === null) return null
    const { webhookKeys: keys, ...counts } = inspected.counts
    const [plain = 0, ...sealed] = keys.withPrefix
    const unknown = sealed.reduce((rest, count) => rest - count, keys.total - plain)
    const deliveries = await storage.deliveries.counts(instant(await clock.asked()))
    return { ...counts, deliveries, webhookKeys: { total: keys.total, plain, unknown } }
  }

  return async options => {
    const { longTransactionSeconds } = validate(inspectOptions, options ?? {}, 'the options of inspect')
    try {
      const now = instant(await clock.asked())
      const request = { now, longTransactionSeconds, webhookKeyPrefixes: webhookKeys.prefixes() }
      const inspected = await inspectStorage(storage, request)
      const counts = inspected && (await counted(inspected))
      const findings: Finding[] = [
        ...(inspected?.findings ?? [ofDatabase.note('This storage does not tell how it is.')]),
        ...(await clockFindings(storage)),
        ...(counts ? await rowFindings(counts, { context, now, hasSecrets }) : []),
      ]
      const { engine = '', version = '', settings = {} } = inspected ?? {}
      return {
        level: worstOf(findings),
        storage: inspected && { engine, version, settings },
        findings,
        counts,
      }
    } catch (error) {
      const says = `The database could not be asked: ${messageOf(error)}.`
      const findings = [ofDatabase.problem(says, 'Nothing works until it answers: start there.')]
      return { level: 'problem', storage: null, findings, counts: null }
    }
  }
}

async function inspectStorage(storage: Storage, request: InspectionRequest) {
  return (await storage.inspect?.(request)) ?? null
}
