import type { CommandGroup } from '../program/command-spec.ts'
import { onTill } from '../store/on-till.ts'
import { PAGE_OPTIONS, type PageFlags, pageNote, pageOf } from './page.ts'
import { paymentColumns } from './payments/columns.ts'

const merchant = ['<merchant>', 'the merchant’s id'] as const

export const cashUps: CommandGroup = {
  name: 'cash-ups',
  about: 'The ends of merchants’ transaction periods.',
  commands: [
    onTill<[string], { idempotencyKey?: string }>({
      name: 'create',
      about: 'Ends the period of a merchant and starts a new one.',
      args: [merchant],
      options: [['--idempotency-key <key>', 'the same key again returns the same cash up']],
      examples: [
        ['tillkit cash-ups create coffee --idempotency-key 2026-11-20', 'once a day, however often it runs'],
      ],
      async run({ till, print }, [merchant], { idempotencyKey }) {
        const cashUp = await till.cashUps.create(merchant, { idempotencyKey })
        await print.one(cashUp, [
          ['reference', cashUp.reference],
          ['date', cashUp.date],
        ])
      },
    }),
    onTill<[string], PageFlags>({
      name: 'list',
      about: 'Lists the cash ups of a merchant, newest first.',
      args: [merchant],
      options: PAGE_OPTIONS,
      examples: [['tillkit cash-ups list coffee --per-page 10', 'the last ten']],
      async run({ till, print }, [merchant], flags) {
        const page = pageOf(flags)
        const found = await till.cashUps.list(merchant, page)
        await print.table(found, found.items, [
          ['reference', ({ reference }) => reference],
          ['date', ({ date }) => date],
        ])
        print.note(pageNote(found, page))
      },
    }),
    onTill<[string, string], PageFlags>({
      name: 'payments',
      about: 'Lists the completed payments of a period, newest first.',
      args: [merchant, ['<reference>', 'the reference of the cash up that ended it']],
      options: PAGE_OPTIONS,
      settings: ['currency'],
      examples: [
        [
          'tillkit cash-ups payments coffee 0f3c9a61d2b74e58a1c6f0e9d8b7a654 --currency EUR',
          'the first fifty, in euros',
        ],
      ],
      async run({ till, print, settings }, [merchant, reference], flags) {
        const page = pageOf(flags)
        const found = await till.cashUps.payments(merchant, reference, page)
        await print.table(found, found.items, paymentColumns(settings.currency))
        print.note(pageNote(found, page))
      },
    }),
  ],
}
