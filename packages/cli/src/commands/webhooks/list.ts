import type { DeliveryState } from '@tillkit/till'
import { onTill } from '../../store/on-till.ts'
import { PAGE_OPTIONS, type PageFlags, pageNote, pageOf } from '../page.ts'

export const list = onTill<[string], PageFlags & { state?: DeliveryState }>({
  name: 'list',
  about: 'Lists the webhooks of a merchant, the newest payment first.',
  args: [['<merchant>', 'the merchant’s id']],
  options: [['--state <state>', 'pending, delivered or exhausted (default: all)'], ...PAGE_OPTIONS],
  examples: [
    ['tillkit webhooks list coffee', 'the last fifty'],
    ['tillkit webhooks list coffee --state exhausted', 'those that were given up'],
  ],
  async run({ till, print }, [merchant], { state, ...flags }) {
    const page = pageOf(flags)
    const found = await till.webhooks.list(merchant, { ...page, state })
    await print.table(found, found.items, [
      ['payment', ({ paymentId }) => paymentId],
      ['state', ({ state }) => state],
      ['attempts', ({ attempts }) => attempts],
      ['last', ({ lastAttemptAt }) => lastAttemptAt],
      ['status', ({ lastStatus }) => lastStatus],
      ['error', ({ lastError }) => lastError],
      ['next', ({ nextAttemptAt }) => nextAttemptAt],
    ])
    print.note(pageNote(found, page))
  },
})
