import { TillError } from '@tillkit/domain'
import type { ScanCode } from '@tillkit/till'
import type { MerchantVisit } from '../../routing/visit.ts'

/** Does something to a code of this merchant: another's is as unknown as one that there is not. */
export async function ownCode(
  { till, merchant }: MerchantVisit,
  code: string,
  change: (code: string) => Promise<ScanCode>,
): Promise<undefined> {
  const found = await till.scanCodes.get(code)
  if (found?.merchantId !== merchant.id) throw new TillError('not_found', 'there is no such code')
  await change(code)
}
