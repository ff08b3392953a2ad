import { type Html, html } from '@tillkit/http'
import type { PeriodReport } from '@tillkit/till'
import type { MerchantVisit } from '../../routing/visit.ts'
import { beingCounted } from '../../show/being-counted.ts'
import { facts, moment, state } from '../../show/facts.ts'
import { table } from '../../show/table.ts'

type Totals = PeriodReport['byStatus']['completed']

const STATUSES = ['completed', 'pending', 'error'] as const

/** The totals of a period: how many payments ended how, and of what; by scan code and by device. Null while they are counted. */
export function periodFigures({ settings: { formats } }: MerchantVisit, period: PeriodReport | null): Html {
  if (period === null) return beingCounted('Its payments are')
  const { byStatus, vouchers, byScanCode, byDevice, from, to, firstPaymentId, lastPaymentId } = period
  const numbers = <Row extends Totals>() => [
    { heading: 'Payments', kind: 'number' as const, cell: ({ count }: Row) => formats.count(count) },
    {
      heading: 'Total',
      kind: 'number' as const,
      cell: ({ totalAmount }: Row) => formats.amount(totalAmount),
    },
    {
      heading: 'Tips in it',
      kind: 'wide number' as const,
      cell: ({ tipAmount }: Row) => formats.amount(tipAmount),
    },
  ]
  const statuses = STATUSES.map(status => ({ status, ...byStatus[status] }))
  const codes = byScanCode.map(row => ({
    ...row,
    name: row.scanCodeReference ? `${row.scanCodeReference} (${row.scanCode})` : row.scanCode,
  }))
  const devices = byDevice.map(row => ({ ...row, name: row.deviceSerialNumber }))
  type Named = (typeof codes)[number] | (typeof devices)[number]
  const byName = (heading: string, none: string) => [
    {
      heading,
      cell: ({ name }: Named) => (name === null ? none : html`<span class="mono">${name}</span>`),
    },
    ...numbers<Named>(),
  ]
  return html`${facts([
    ['State', state(period.final ? 'final' : 'open')],
    [
      'Payments',
      lastPaymentId === null || firstPaymentId === null ? 'none' : `${firstPaymentId} to ${lastPaymentId}`,
    ],
    ['From', from && moment(formats, from)],
    ['To', to && moment(formats, to)],
    [
      'Vouchers bought',
      `${formats.count(vouchers.issued.count)}, ${formats.amount(vouchers.issued.totalAmount)}`,
    ],
    [
      'Paid with vouchers',
      `${formats.count(vouchers.redeemed.count)}, ${formats.amount(vouchers.redeemed.totalAmount)}`,
    ],
  ])}
${table(
  'By status',
  [
    { heading: 'Status', cell: ({ status }: (typeof statuses)[number]) => state(status) },
    ...numbers<(typeof statuses)[number]>(),
  ],
  statuses,
  '',
)}${codes.length > 0 && table('Completed, by scan code', byName('Scan code', ''), codes, '')}
${devices.length > 0 && table('Completed, by device', byName('Device', 'without one'), devices, '')}`
}
