import type { CommandGroup } from '../../program/command-spec.ts'
import { Refused, UsageError } from '../../program/usage-error.ts'
import { onTill } from '../../store/on-till.ts'
import { number, PAGE_OPTIONS, type PageFlags, pageNote, pageOf } from '../page.ts'
import { paymentColumns, paymentParts } from './columns.ts'
import { exportPayments } from './export.ts'
import { FILTER_OPTIONS, type FilterFlags, filterOf } from './filter.ts'

const merchant = ['<merchant>', 'the merchant’s id'] as const
const id = ['<id>', 'the payment’s id: 1, 2, 3 …'] as const

export const payments: CommandGroup = {
  name: 'payments',
  about: 'Attempts to pay, and their outcomes.',
  commands: [
    onTill<[string], FilterFlags & PageFlags>({
      name: 'list',
      about: 'Lists payments of a merchant, newest first, by the filters of the API.',
      args: [merchant],
      options: [...FILTER_OPTIONS, ...PAGE_OPTIONS],
      settings: ['currency'],
      examples: [
        ['tillkit payments list coffee --status pending', 'those whose outcome is not known'],
        [
          'tillkit payments list coffee --start-date 2026-11-20T00:00:00Z --currency EUR',
          'since then, in euros',
        ],
        ['tillkit payments list coffee --json | jq .total', 'how many there are'],
      ],
      async run({ till, print, settings }, [merchant], flags) {
        const page = pageOf(flags)
        const found = await till.payments.list(merchant, { filter: filterOf(flags), ...page })
        await print.table(found, found.items, paymentColumns(settings.currency))
        print.note(pageNote(found, page))
      },
    }),
    onTill<[string, string]>({
      name: 'show',
      about: 'Shows one payment, with all that is known of it.',
      args: [merchant, id],
      settings: ['currency'],
      examples: [['tillkit payments show coffee 17', 'payment 17 of coffee']],
      async run({ till, print, settings }, [merchant, text]) {
        const found = await till.payments.get(merchant, idOf(text))
        if (found === null) throw new Refused(`merchant ${merchant} has no payment ${text}`)
        await print.one(found, paymentParts(found, settings.currency))
      },
    }),
    exportPayments,
    onTill<[string, string]>({
      name: 'complete',
      about: 'Records that a pending payment was successful, with its webhook. For good.',
      args: [merchant, id],
      settings: ['currency'],
      examples: [['tillkit payments complete coffee 17', 'when your processor says that it was charged']],
      async run({ till, print, settings }, [merchantId, text]) {
        const payment = await till.payments.complete({ merchantId, id: idOf(text) })
        await print.one(payment, paymentParts(payment, settings.currency))
      },
    }),
    onTill<[string, string], { failure?: string }>({
      name: 'fail',
      about: 'Records that a pending payment failed, with its webhook. For good.',
      args: [merchant, id],
      options: [['--failure <text>', 'why, such as card_declined']],
      settings: ['currency'],
      examples: [
        [
          'tillkit payments fail coffee 17 --failure card_declined',
          'when your processor says that it never will be charged',
        ],
      ],
      async run({ till, print, settings }, [merchantId, text], { failure }) {
        const payment = await till.payments.fail({ merchantId, id: idOf(text) }, { failure })
        await print.one(payment, paymentParts(payment, settings.currency))
      },
    }),
  ],
}

function idOf(text: string): number {
  const id = number('<id>', text)
  if (!id) throw new UsageError('<id> must be the id of a payment: 1, 2, 3 …')
  return id
}
