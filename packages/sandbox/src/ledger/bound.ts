import type { Merchant } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import type { LedgerName } from '../names.ts'
import type { Seeded } from '../seed.ts'

/** A storage, and the one ledger in it that is to be seen. */
export interface Bound {
  storage: Storage
  name: LedgerName
  /** The id that the ledger is kept under. */
  stored: string
  /** The id that it is known by. */
  shown: string
  /** Its merchant, as it is in the live till now. */
  live: () => Merchant
  seeded: Seeded
}

/** The id to ask the storage for. Throws for another merchant's: a ledger is one merchant's, whoever asks. */
export function own({ shown, stored }: Bound, merchantId: string): string {
  if (merchantId !== shown) throw new TypeError('a test ledger was asked for another merchant')
  return stored
}

/** A record of the ledger as it is known outside. Throws where the storage handed out another's. */
export function known<Kept extends { merchantId: string }>({ stored, shown }: Bound, record: Kept): Kept {
  if (record.merchantId !== stored)
    throw new TypeError('a storage handed out what is not of this test ledger')
  return { ...record, merchantId: shown }
}

/** The merchant of the ledger: the live one's name and features, and a webhook URL of its own. */
export function merged({ live, shown }: Bound, webhookUrl: string | null): Merchant {
  const { features, ...merchant } = live()
  return { ...merchant, features: { ...features }, id: shown, webhookUrl }
}
