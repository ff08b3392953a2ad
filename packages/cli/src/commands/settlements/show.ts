import { amounts } from '../../output/amount.ts'
import { Refused } from '../../program/usage-error.ts'
import { onTill } from '../../store/on-till.ts'
import { PAGE_OPTIONS, type PageFlags, pageNote, pageOf } from '../page.ts'

export const show = onTill<[string], PageFlags>({
  name: 'show',
  about: 'Shows what a statement has settled, and of which merchants.',
  args: [['<reference>', 'the reference of the statement']],
  options: PAGE_OPTIONS,
  settings: ['currency'],
  examples: [['tillkit settlements show BANK-0412 --currency EUR', 'with its first fifty merchants']],
  async run({ till, print, settings }, [reference], flags) {
    const page = pageOf(flags)
    const found = await till.settlements.get(reference, page)
    if (found === null) throw new Refused(`nothing was settled under ${reference}`)
    if (print.json) return print.text(found, '')
    const amount = amounts(settings.currency)
    const unit = settings.currency === undefined ? ' (cents)' : ''
    await print.one(found, [
      ['reference', found.statementReference],
      ['began', found.startedAt],
      ['ended', found.finishedAt],
      ['rows', found.rows],
      ['differ', found.differences],
      ['payments', found.count],
      [`paid out${unit}`, amount(found.amount)],
      [`fees${unit}`, amount(found.fees)],
    ])
    await print.text(found, '')
    await print.table(found, found.byMerchant.items, [
      ['merchant', ({ merchantId }) => merchantId],
      ['payments', ({ count }) => count],
      [`paid out${unit}`, row => amount(row.amount)],
      [`fees${unit}`, ({ fees }) => amount(fees)],
    ])
    print.note(pageNote(found.byMerchant, page))
  },
})
