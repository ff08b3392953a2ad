/** Where the payments are: plain data, so that a server in another process can be told. */
export type Place =
  | { engine: 'postgres'; connectionString: string; schema: string }
  | { engine: 'mysql'; uri: string }
  | { engine: 'sqlite'; file: string }

/** A page as the API answers it, or null where nobody has the key. */
export type Page = { items: object[]; total: number } | null

/** The least that answers the same from the same tables. A key is given as the hash that the tables keep. */
export interface ByHand {
  find(key: string, id: number): Promise<object | null>
  page(key: string, skip: number): Promise<Page>
  completed(key: string, skip: number): Promise<Page>
  period(key: string, reference: string): Promise<Page>
  start(key: string, order: Order): Promise<object | null>
  complete(key: string, id: number): Promise<object | null>
}

/** What a payment is started with. */
interface Order {
  scanCode: string
  totalAmount: number
  merchantReference: string
  requiredAmount: number
}

export const PAGE = 50

/** The columns that an answer shows, in the order in which `payment` reads them. */
export const SHOWN = [
  'id',
  'status',
  'date',
  'total_amount',
  'tip_amount',
  'scan_code',
  'scan_code_reference',
  'user_reference',
  'statement_reference',
  'is_voucher',
  'is_voucher_redemption',
  'required_amount',
  'merchant_reference',
  'auth_code',
  'extra',
]

/** A row from its column `at` on, whose date, flags and extra are already what they are in the answer. */
export const payment = (row: unknown[], at = 0) => ({
  id: row[at],
  status: row[at + 1],
  date: row[at + 2],
  totalAmount: row[at + 3],
  tipAmount: row[at + 4],
  scanCode: row[at + 5],
  scanCodeReference: row[at + 6],
  userReference: row[at + 7],
  statementReference: row[at + 8],
  isVoucher: row[at + 9],
  isVoucherRedemption: row[at + 10],
  requiredAmount: row[at + 11],
  merchantReference: row[at + 12],
  authCode: row[at + 13],
  extra: row[at + 14],
})

export const authCode = () => `${100_000 + Math.floor(Math.random() * 900_000)}`
