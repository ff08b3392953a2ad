import { json } from '../json.ts'
import type { Call } from './call.ts'
import { paginationHeaders, paginationQuery } from './pagination.ts'
import { readQuery } from './query.ts'

/** `GET /cash_ups` (API 4.6). */
export async function listCashUps({ till, merchant, request }: Call) {
  const page = readQuery(paginationQuery, request.query)
  const { items, total } = await till.cashUps.list(merchant.id, page)
  const cashUps = items.map(({ date, reference }) => ({ date, reference }))
  return json(200, cashUps, paginationHeaders(page, total))
}
