import {
  exactSum,
  instant,
  isNamed,
  type ListedStatement,
  type MerchantSettlement,
  MOST_MEANT,
  type Page,
  type Payment,
  type PaymentName,
  type Slice,
  type WireDate,
} from '@tillkit/domain'
import type { PaymentToSettle, SettlementStore } from '../settlement-store.ts'
import { type Account, copyPayment, type State } from './state.ts'

export function settlements(state: State): SettlementStore {
  return {
    async begin(statementReference, now) {
      if (state.statements.has(statementReference)) return
      const startedAt = now ?? instant(new Date())
      state.statements.set(statementReference, { startedAt, finishedAt: null, end: null })
    },

    async find(merchantId, names, since) {
      const payments = state.accounts.get(merchantId)?.payments ?? []
      return names.map(name => fitting(payments, name, since).map(copyPayment))
    },

    async settle(merchantId, statementReference, payments) {
      const account = state.accounts.get(merchantId)
      const settled: number[] = []
      const others: Payment[] = []
      for (const [id, fee] of feesById(payments)) {
        const payment = account?.payments[id - 1]
        if (!account || !payment) continue
        if (payment.status !== 'completed' || payment.statementReference !== null) {
          others.push(copyPayment(payment))
          continue
        }
        markSettled(account, payment, statementReference, fee)
        settled.push(id)
      }
      return { settled, others }
    },

    async unsettled(merchantId, firstId, lastId) {
      const payments = state.accounts.get(merchantId)?.payments ?? []
      return payments.filter(isUnsettled).filter(isBetween(firstId, lastId)).map(copyPayment)
    },

    async finish(statementReference, end, now) {
      const statement = state.statements.get(statementReference)
      if (!statement) return
      statement.finishedAt = now ?? instant(new Date())
      statement.end = { ...end }
    },

    async list({ skip, limit }) {
      const imported = [...state.statements].sort(newestFirst).map(([reference]) => reference)
      const items = imported.slice(skip, skip + limit).map(reference => listed(state, reference))
      return { items, total: imported.length }
    },

    async get(statementReference, slice) {
      const found = listed(state, statementReference)
      if (found.startedAt === null && found.merchants === 0) return null
      return { ...found, byMerchant: merchantsOf(state, statementReference, slice) }
    },
  }
}

/** Settles a payment, and adds it to what the merchant has under the reference; one that it has already is left. */
export function markSettled(
  account: Account | undefined,
  payment: Payment,
  statementReference: string,
  fee: number,
): void {
  if (!account || payment.statementReference !== null) return
  const { count, amount, fees } = account.settlements.get(statementReference) ?? NOTHING
  payment.statementReference = statementReference
  account.settlements.set(statementReference, {
    count: count + 1,
    amount: amount + BigInt(payment.totalAmount),
    fees: fees + BigInt(fee),
  })
}

const NOTHING = { count: 0, amount: 0n, fees: 0n }

/** The fee of each payment by ascending id: the first that was given for it. */
function feesById(payments: PaymentToSettle[]): Map<number, number> {
  const fees = new Map<number, number>()
  for (const { id, fee } of payments.toSorted((a, b) => a.id - b.id)) if (!fees.has(id)) fees.set(id, fee)
  return fees
}

function fitting(payments: Payment[], name: PaymentName, since: WireDate | null): Payment[] {
  const fit = payments.filter(payment => isNamed(payment, name))
  if (name.id !== null) return fit
  const recent = fit.filter(payment => since === null || payment.date >= since)
  const live = recent.filter(payment => payment.status !== 'error')
  return (live.length > 0 ? live : recent).slice(0, MOST_MEANT)
}

const isUnsettled = (payment: Payment) =>
  payment.status === 'completed' && payment.statementReference === null

const isBetween = (firstId: number, lastId: number) => (payment: Payment) =>
  payment.id >= firstId && payment.id <= lastId

function newestFirst(a: [string, { startedAt: string }], b: [string, { startedAt: string }]): number {
  if (a[1].startedAt !== b[1].startedAt) return a[1].startedAt < b[1].startedAt ? 1 : -1
  return a[0] < b[0] ? 1 : -1
}

/** What each merchant has under a reference, by ascending id. */
function allOf(state: State, statementReference: string) {
  const all = [...state.accounts.values()].flatMap(({ merchant, settlements }) => {
    const totals = settlements.get(statementReference)
    return totals ? [{ merchantId: merchant.id, ...totals }] : []
  })
  return all.sort((a, b) => (a.merchantId < b.merchantId ? -1 : 1))
}

function merchantsOf(
  state: State,
  statementReference: string,
  { skip, limit }: Slice,
): Page<MerchantSettlement> {
  const all = allOf(state, statementReference)
  const items = all
    .slice(skip, skip + limit)
    .map(one => ({ ...one, amount: exactSum(one.amount), fees: exactSum(one.fees) }))
  return { items, total: all.length }
}

function listed(state: State, statementReference: string): ListedStatement {
  const statement = state.statements.get(statementReference)
  const all = allOf(state, statementReference)
  return {
    statementReference,
    startedAt: statement?.startedAt ?? null,
    finishedAt: statement?.finishedAt ?? null,
    rows: statement?.end?.rows ?? null,
    differences: statement?.end?.differences ?? null,
    merchants: all.length,
    count: all.reduce((sum, { count }) => sum + count, 0),
    amount: exactSum(all.reduce((sum, { amount }) => sum + amount, 0n)),
    fees: exactSum(all.reduce((sum, { fees }) => sum + fees, 0n)),
  }
}
