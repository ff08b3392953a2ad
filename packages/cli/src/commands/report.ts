import { amounts } from '../output/amount.ts'
import type { CommandSpec } from '../program/command-spec.ts'
import { onTill } from '../store/on-till.ts'

/** What was taken in a period. */
export const report: CommandSpec = onTill<[string, string?]>({
  name: 'report',
  about: 'What was taken in a period of a merchant: the open one, or one that a cash up ended.',
  args: [
    ['<merchant>', 'the merchant’s id'],
    ['[reference]', 'the reference of the cash up that ended it (default: the open period)'],
  ],
  settings: ['currency'],
  examples: [
    ['tillkit report coffee --currency EUR', 'since the last cash up; changes nothing'],
    [
      'tillkit report coffee 0f3c9a61d2b74e58a1c6f0e9d8b7a654 --json',
      'of a period that ended, for a program',
    ],
  ],
  async run({ till, print, settings }, [merchant, reference]) {
    const found = await till.reports.period(merchant, { reference })
    if (print.json) return print.text(found, '')
    const amount = amounts(settings.currency)
    const unit = settings.currency === undefined ? ' (cents)' : ''
    await print.one(found, [
      ['period', found.reference ?? 'open'],
      ['final', found.final],
      [
        'payments',
        found.firstPaymentId === null ? 'none' : `${found.firstPaymentId} to ${found.lastPaymentId}`,
      ],
      ['from', found.from],
      ['to', found.to],
    ])
    await print.text(found, '')
    const { completed, pending, error } = found.byStatus
    const rows = [
      ...Object.entries({ completed, pending, error }),
      ['vouchers bought', found.vouchers.issued] as const,
      ['vouchers used', found.vouchers.redeemed] as const,
      ...found.byScanCode.map(sums => [`code ${sums.scanCode}`, sums] as const),
      ...found.byDevice.map(sums => [`device ${sums.deviceSerialNumber ?? 'not named'}`, sums] as const),
    ]
    await print.table(found, rows, [
      ['', ([name]) => name],
      ['count', ([, { count }]) => count],
      [`total${unit}`, ([, { totalAmount }]) => amount(totalAmount)],
      [`tips${unit}`, ([, { tipAmount }]) => amount(tipAmount)],
    ])
  },
})
