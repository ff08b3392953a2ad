/** The names that a vocabulary may put other words for, by what they are in: those of one list need words that differ. */
export const NAMES = {
  payment: [
    ...['id', 'status', 'date', 'totalAmount', 'tipAmount', 'scanCode', 'scanCodeReference', 'userReference'],
    ...['statementReference', 'isVoucher', 'isVoucherRedemption', 'requiredAmount', 'merchantReference'],
    ...['authCode', 'deviceSerialNumber', 'transactionType', 'extra'],
  ],
  cashUp: ['date', 'reference'],
  error: ['message', 'code'],
  list: [
    ...['page', 'perPage', 'offset', 'startDate', 'endDate', 'status', 'scanCode', 'scanCodeReference'],
    ...['userReference', 'merchantReference', 'statementReference'],
  ],
  path: ['payments', 'cash_ups'],
  paymentUrl: ['id', 'amount', 'strict', 'scan_code_size', 'scan_code_signature', 'scan_code_expires'],
  paymentUrlPath: ['qr'],
  webhook: ['payload'],
  webhookScheme: ['Service'],
} satisfies Record<string, string[]>

/** What the names of one list are in. */
export type NameGroup = keyof typeof NAMES
