import { isText, MAX_REFERENCE_LENGTH, TillError } from '@tillkit/domain'
import { json } from '../json.ts'
import type { Call } from './call.ts'

/** `POST /cash_ups` (API 4.4). The same `Idempotency-Key` again returns the same cash up. */
export async function createCashUp({ till, merchant, request }: Call) {
  const idempotencyKey = request.headers['idempotency-key']
  if (idempotencyKey === '' || !isText(idempotencyKey ?? '', MAX_REFERENCE_LENGTH)) {
    throw new TillError(
      'invalid_input',
      `Idempotency-Key is not valid: it must be text of 1 to ${MAX_REFERENCE_LENGTH} characters`,
    )
  }
  const { date, reference } = await till.cashUps.create(merchant.id, { idempotencyKey })
  return json(200, { date, reference })
}
