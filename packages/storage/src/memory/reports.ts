import type { Payment, PeriodReport, Sums } from '@tillkit/domain'
import type { ReportStore } from '../report-store.ts'
import type { Account, State } from './state.ts'

export function reports(state: State): ReportStore {
  return {
    async period(merchantId, reference) {
      const account = state.accounts.get(merchantId)
      const ids = account && idsOf(account, reference)
      if (!account || !ids) return null
      const payments = account.payments.slice(ids.first - 1, ids.last)
      return { reference, ...reportOf(payments, reference !== null) }
    },

    async takings(merchantId, bounds) {
      const account = merchantId === null ? undefined : state.accounts.get(merchantId)
      if (merchantId !== null && !account) return null
      const payments = (account ? [account] : [...state.accounts.values()])
        .flatMap(one => one.payments)
        .filter(({ status }) => status === 'completed')
      return bounds.slice(1).map((to, n) => {
        const from = bounds[n] ?? to
        return sumsOf(payments.filter(({ date }) => from <= date && date < to))
      })
    },
  }
}

function idsOf({ periods, payments }: Account, reference: string | null) {
  if (reference === null) return { first: (periods.at(-1)?.lastId ?? 0) + 1, last: payments.length }
  const period = periods.find(({ cashUp }) => cashUp.reference === reference)
  return period && { first: period.firstId, last: period.lastId }
}

function reportOf(payments: Payment[], isClosed: boolean): Omit<PeriodReport<bigint>, 'reference'> {
  const [first, last] = [payments[0], payments.at(-1)]
  const of = (status: Payment['status']) => payments.filter(payment => payment.status === status)
  const completed = of('completed')
  const byScanCode = Map.groupBy(completed, ({ scanCode }) => scanCode)
  const byDevice = Map.groupBy(completed, ({ deviceSerialNumber }) => deviceSerialNumber)
  return {
    final: isClosed && of('pending').length === 0,
    firstPaymentId: first?.id ?? null,
    lastPaymentId: last?.id ?? null,
    from: first?.date ?? null,
    to: last?.date ?? null,
    byStatus: { pending: sumsOf(of('pending')), completed: sumsOf(completed), error: sumsOf(of('error')) },
    vouchers: {
      issued: sumsOf(completed.filter(({ isVoucher }) => isVoucher)),
      redeemed: sumsOf(completed.filter(({ isVoucherRedemption }) => isVoucherRedemption)),
    },
    byScanCode: [...byScanCode]
      .map(([scanCode, those]) => {
        const scanCodeReference = those.at(-1)?.scanCodeReference ?? null
        return { scanCode, scanCodeReference, ...sumsOf(those) }
      })
      .sort((a, b) => (a.scanCode < b.scanCode ? -1 : 1)),
    byDevice: [...byDevice]
      .map(([deviceSerialNumber, those]) => ({ deviceSerialNumber, ...sumsOf(those) }))
      .sort((a, b) => (nullFirst(a.deviceSerialNumber) < nullFirst(b.deviceSerialNumber) ? -1 : 1)),
  }
}

const nullFirst = (serialNumber: string | null) => (serialNumber === null ? '' : ` ${serialNumber}`)

function sumsOf(payments: Payment[]): Sums<bigint> {
  const sum = (amount: (payment: Payment) => number) =>
    payments.reduce((total, payment) => total + BigInt(amount(payment)), 0n)
  return {
    count: payments.length,
    totalAmount: sum(({ totalAmount }) => totalAmount),
    tipAmount: sum(({ tipAmount }) => tipAmount ?? 0),
  }
}
