import { instant, type Merchant } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import { TillError } from '@tillkit/till'
import { accountId, type LedgerName } from './names.ts'

/** Which ledger each merchant's test keys open. */
export interface Accounts {
  /** The account of a live merchant, which is made where there is none. Throws where the storage is the live till's. */
  of(liveId: string): Promise<LedgerName>
  /** The ledger that a row names; null where the row is no account. */
  read(account: Pick<Merchant, 'id' | 'name'>): LedgerName | null
  /** From now on the merchant's keys open this one. */
  change(name: LedgerName): Promise<void>
}

const formatName = ({ generation, liveId }: LedgerName) => `${generation} ${liveId}`

/** An account is a merchant of the sandbox's storage: the test keys are its keys, its name says which ledger they open. */
export function createAccounts(storage: Storage): Accounts {
  const read = ({ id, name }: Pick<Merchant, 'id' | 'name'>): LedgerName | null => {
    const [, generation, liveId] = /^(\d{1,15}) (.+)$/.exec(name) ?? []
    if (generation === undefined || liveId === undefined || accountId(liveId) !== id) return null
    return { generation: Number(generation), liveId }
  }

  const find = async (liveId: string) => {
    const account = await storage.merchants.get(accountId(liveId))
    return account && read(account)
  }

  return {
    read,

    async of(liveId) {
      // The merchant is in the live till: a storage that has it too is the live one.
      if ((await storage.merchants.get(liveId)) !== null) {
        throw new TillError(
          'invalid_input',
          'storage must not be that of the live till: a sandbox needs one with another file, schema or tablePrefix',
        )
      }
      const known = await find(liveId)
      if (known) return known
      const first = { liveId, generation: 1 }
      const account = {
        id: accountId(liveId),
        name: formatName(first),
        webhookUrl: null,
        features: { tips: false, userReferences: false, deviceLists: false },
        createdAt: instant(new Date()),
      }
      try {
        await storage.merchants.create(account)
      } catch (error) {
        if (!(error instanceof TillError && error.code === 'conflict')) throw error
      }
      return (await find(liveId)) ?? first
    },

    async change(name) {
      await storage.merchants.update(accountId(name.liveId), { name: formatName(name) }, instant(new Date()))
    },
  }
}
