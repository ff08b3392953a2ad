const NAMES = {
  /** The fields of a payment object, of both forms (API 2.1). */
  payment: [
    'id',
    'status',
    'date',
    'totalAmount',
    'tipAmount',
    'scanCode',
    'scanCodeReference',
    'userReference',
    'statementReference',
    'isVoucher',
    'isVoucherRedemption',
    'requiredAmount',
    'merchantReference',
    'authCode',
    'deviceSerialNumber',
    'transactionType',
    'extra',
  ],
  /** The fields of a cash up object (API 2.2). */
  cashUp: ['date', 'reference'],
  /** The fields of an error object (API 2.3). */
  error: ['message', 'code'],
  /** The parameters of lists (API 4.1 and 4.2). */
  list: [
    'page',
    'perPage',
    'offset',
    'startDate',
    'endDate',
    'status',
    'scanCode',
    'scanCodeReference',
    'userReference',
    'merchantReference',
    'statementReference',
  ],
  /** The words of the API's paths (API 4). */
  path: ['payments', 'cash_ups'],
  /** The parameters of a payment URL and its images (API 4.7). */
  paymentUrl: ['id', 'amount', 'strict', 'scan_code_size', 'scan_code_signature', 'scan_code_expires'],
  /** The word of a payment URL's path (API 4.7). */
  paymentUrlPath: ['qr'],
  /** The field of a webhook's form (API 6.3). */
  webhook: ['payload'],
  /** The scheme of a webhook's `Authorization` (API 6.4). */
  webhookScheme: ['Service'],
} as const

/** What the names of one list are in. */
export type VocabularyGroup = keyof typeof NAMES

/** A name that a vocabulary may put another word for. */
export type VocabularyName = (typeof NAMES)[VocabularyGroup][number]

/**
 * The names that a vocabulary may put other words for, by what they are in. Names of one list stand beside each other, so each
 * needs a word of its own; a name in several lists has the same word in all of them.
 */
export const VOCABULARY: Readonly<Record<VocabularyGroup, readonly VocabularyName[]>> = NAMES
