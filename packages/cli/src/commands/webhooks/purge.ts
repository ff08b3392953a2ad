import { UsageError } from '../../program/usage-error.ts'
import { onTill } from '../../store/on-till.ts'
import { number } from '../page.ts'

const DAY = 86_400_000

export const purge = onTill<[], { olderThan?: string; olderThanDays?: string }>({
  name: 'purge',
  about: 'Removes webhooks that were delivered before a time, with their attempts; payments stay.',
  options: [
    ['--older-than <date>', 'before then: 2026-08-20T00:00:00Z'],
    ['--older-than-days <number>', 'before so many days ago'],
  ],
  examples: [['tillkit webhooks purge --older-than-days 90', 'once a day, by cron']],
  notes: 'In small steps, beside payments and deliveries. What is pending or was given up stays.',
  async run({ till, print }, _, { olderThan, olderThanDays }) {
    const days = number('--older-than-days', olderThanDays)
    if ((olderThan === undefined) === (days === undefined)) {
      throw new UsageError('one of --older-than and --older-than-days must be given')
    }
    const before = olderThan ?? new Date((await till.now()).getTime() - (days ?? 0) * DAY)
    const purged = await till.webhooks.purge({ olderThan: before })
    await print.text({ purged }, `${purged} removed`)
  },
})
