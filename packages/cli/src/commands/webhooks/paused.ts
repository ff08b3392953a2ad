import { onTill } from '../../store/on-till.ts'
import { number } from '../page.ts'

export const paused = onTill<[], { after?: string; limit?: string }>({
  name: 'paused',
  about: 'Lists the merchants whose receivers have only failed for five days: nothing is sent to them.',
  options: [
    ['--after <merchant>', 'those whose ids come after this one'],
    ['--limit <number>', 'how many at most, up to 1000 (default: 100)'],
  ],
  examples: [['tillkit webhooks paused', 'the first hundred']],
  notes: 'tillkit webhooks test <merchant> wakes one that answers again.',
  async run({ till, print }, _, { after, ...flags }) {
    const limit = number('--limit', flags.limit) ?? 100
    const found = await till.webhooks.paused({ after, limit })
    await print.table(found, found, [
      ['merchant', ({ merchantId }) => merchantId],
      ['failing since', ({ failingSince }) => failingSince],
      ['paused', ({ pausedAt }) => pausedAt],
    ])
    const last = found.at(-1)
    if (last === undefined) print.note('there are none')
    else if (found.length === limit) print.note(`there may be more: --after ${last.merchantId}`)
  },
})
