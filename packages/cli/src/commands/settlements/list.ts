import { amounts } from '../../output/amount.ts'
import { onTill } from '../../store/on-till.ts'
import { PAGE_OPTIONS, type PageFlags, pageNote, pageOf } from '../page.ts'

export const list = onTill<[], PageFlags>({
  name: 'list',
  about: 'Lists the statements that were imported, newest first, with what each has settled.',
  options: PAGE_OPTIONS,
  settings: ['currency'],
  examples: [['tillkit settlements list --currency EUR', 'the last fifty, in euros']],
  async run({ till, print, settings }, _, flags) {
    const amount = amounts(settings.currency)
    const unit = settings.currency === undefined ? ' (cents)' : ''
    const page = pageOf(flags)
    const found = await till.settlements.list(page)
    await print.table(found, found.items, [
      ['reference', ({ statementReference }) => statementReference],
      ['began', ({ startedAt }) => startedAt],
      ['ended', ({ finishedAt }) => finishedAt],
      ['merchants', ({ merchants }) => merchants],
      ['payments', ({ count }) => count],
      [`paid out${unit}`, ({ amount: cents }) => amount(cents)],
      [`fees${unit}`, ({ fees }) => amount(fees)],
      ['differ', ({ differences }) => differences],
    ])
    print.note(pageNote(found, page))
  },
})
