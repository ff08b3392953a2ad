import type { CashUp, PaymentObject } from '@tillkit/domain'

/** A payment of the examples (API 4.3). */
export const examplePayment: PaymentObject = {
  id: 1,
  status: 'completed',
  date: '2026-11-20T09:30:00Z',
  totalAmount: 1300,
  tipAmount: 50,
  scanCode: 'counter',
  scanCodeReference: 'Counter',
  userReference: 'Zoë',
  statementReference: null,
  isVoucher: false,
  isVoucherRedemption: false,
  requiredAmount: 1250,
  merchantReference: 'INV-1001',
  authCode: '048213',
  extra: { table: '7' },
}

/** The cash up of the examples (API 4.4). */
export const exampleCashUp: CashUp = {
  date: '2026-11-20T18:00:00Z',
  reference: '3f0c5a1be7724d9186f2a90d4c6be815',
}
