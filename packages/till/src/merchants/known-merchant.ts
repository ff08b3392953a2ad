import { isMerchantId, merchantId, TillError, validate } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'

/** Throws `invalid_input` for what cannot be a merchant's id. */
export function assertMerchantId(id: string): void {
  if (!isMerchantId(id)) validate(merchantId, id, 'merchantId')
}

export function unknownMerchant(id: string): TillError {
  return new TillError('not_found', `merchant ${id} is unknown`)
}

/** Throws `not_found` for an unknown merchant: asked only where an answer is empty, so that others cost nothing more. */
export async function assertMerchant(storage: Storage, id: string): Promise<void> {
  if ((await storage.merchants.get(id)) === null) throw unknownMerchant(id)
}
