import type { DeliveryState } from '@tillkit/till'
import { redeliverProgress } from '../../output/redeliver-progress.ts'
import { UsageError } from '../../program/usage-error.ts'
import { onTill } from '../../store/on-till.ts'
import { number } from '../page.ts'

export const redeliver = onTill<[string, string[]], { since?: string; state?: DeliveryState }>({
  name: 'redeliver',
  about: 'Sends webhooks again, from the first attempt on: of some payments, or of all since a time.',
  args: [
    ['<merchant>', 'the merchant’s id'],
    ['[payments...]', 'the payments’ ids'],
  ],
  options: [
    ['--since <date>', 'all that were written since then: 2026-11-20T09:00:00Z'],
    ['--state <state>', 'of these, only pending, delivered or exhausted ones'],
  ],
  examples: [
    ['tillkit webhooks redeliver coffee 1042 1043', 'these two'],
    [
      'tillkit webhooks redeliver coffee --since 2026-11-20T09:00:00Z --state exhausted',
      'all that were given up since then, once the receiver is well again',
    ],
  ],
  notes: 'A worker sends them: tillkit worker, or tillkit serve.',
  async run({ till, print, around }, [merchantId, payments], { since, state }) {
    if ((since === undefined) === (payments.length === 0)) {
      throw new UsageError('either ids of payments or --since must be given')
    }
    if (since === undefined) {
      if (state !== undefined) throw new UsageError('--state goes with --since')
      const ids = payments.map(id => number('<payments>', id) ?? 0)
      for (const paymentId of ids) await till.webhooks.redeliver({ merchantId, paymentId })
      return print.text({ redelivered: ids.length }, `${ids.length} will be sent again`)
    }
    const progress = await redeliverProgress(around)
    const count = await till.webhooks
      .redeliverSince(merchantId, { since, state, onProgress: progress.tell })
      .finally(progress.stop)
    await print.text({ redelivered: count }, `${count} will be sent again`)
  },
})
