/**
 * The least code that answers the same: raw `node:http`, prepared statements by hand, one table of what can be asked. It
 * checks the key and the numbers and sends the same headers and bodies, but has no routes, limits or errors to speak of.
 */
import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import Database from 'better-sqlite3'
import './report-cpu.ts'

const [file = '', port] = process.argv.slice(2)
const database = new Database(file, { readonly: true })
const columns = `id, status, date, total_amount, tip_amount, scan_code, scan_code_reference, user_reference,
  statement_reference, is_voucher, is_voucher_redemption, required_amount, merchant_reference, auth_code, extra`
const findMerchant = database.prepare('select merchant_id from tillkit_api_keys where hash = ?').pluck()
const findOne = database.prepare(`select ${columns} from tillkit_payments where merchant_id = ? and id = ?`)
const findRun = database.prepare(
  `select ${columns} from tillkit_payments where merchant_id = ? and id between ? and ? order by id desc`,
)
const findCompleted = database.prepare(
  `select ${columns} from tillkit_payments where merchant_id = ? and status = 'completed' order by id desc limit ? offset ?`,
)
const findLast = database.prepare('select last_payment_id from tillkit_ledgers where merchant_id = ?').pluck()
const countOthers = database
  .prepare(`select count(*) from tillkit_payments where merchant_id = ? and status in ('pending', 'error')`)
  .pluck()

interface Row {
  [column: string]: string | number | null
}

const payment = (row: Row) => ({
  id: row.id,
  status: row.status,
  date: row.date,
  totalAmount: row.total_amount,
  tipAmount: row.tip_amount,
  scanCode: row.scan_code,
  scanCodeReference: row.scan_code_reference,
  userReference: row.user_reference,
  statementReference: row.statement_reference,
  isVoucher: row.is_voucher === 1,
  isVoucherRedemption: row.is_voucher_redemption === 1,
  requiredAmount: row.required_amount,
  merchantReference: row.merchant_reference,
  authCode: row.auth_code,
  extra: JSON.parse(String(row.extra)),
})

const merchants = new Map<string, string>()
function merchantOf(authorization = ''): string | undefined {
  const key = Buffer.from(authorization.slice(6), 'base64').toString().slice(0, -1)
  const digest = hash('sha256', key, 'hex')
  const known = merchants.get(digest) ?? (findMerchant.get(digest) as string | undefined)
  if (known) merchants.set(digest, known)
  return known
}

createServer((request, response) => {
  const merchant = merchantOf(request.headers.authorization)
  if (!merchant) return response.writeHead(401).end()
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const headers: Record<string, string> = {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers':
      'X-Total, X-Total-Pages, X-Page, X-Per-Page, X-Next-Page, X-Prev-Page, X-Offset, Retry-After, RateLimit, RateLimit-Policy',
  }
  let body: string
  if (path === '/v1/payments') {
    const asked = new URLSearchParams(query)
    const page = Number(asked.get('page') ?? 1)
    const last = findLast.get(merchant) as number
    const completed = asked.get('status') === 'completed'
    const total = completed ? last - (countOthers.get(merchant) as number) : last
    const top = last - (page - 1) * 50
    const rows = completed
      ? findCompleted.all(merchant, 50, (page - 1) * 50)
      : findRun.all(merchant, top - 49, top)
    body = JSON.stringify((rows as Row[]).map(payment))
    headers['X-Total'] = String(total)
    headers['X-Total-Pages'] = String(Math.ceil(total / 50))
    headers['X-Page'] = String(page)
    headers['X-Per-Page'] = '50'
    headers['X-Offset'] = '0'
    headers['X-Next-Page'] = String(page + 1)
    if (page > 1) headers['X-Prev-Page'] = String(page - 1)
  } else {
    body = JSON.stringify(payment(findOne.get(merchant, Number(path.slice(13))) as Row))
  }
  headers['Content-Length'] = String(Buffer.byteLength(body))
  response.writeHead(200, headers)
  response.end(body)
}).listen(Number(port), '127.0.0.1', () => process.send?.('ready'))
