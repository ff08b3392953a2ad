import { TillError } from '@tillkit/domain'
import type { MerchantStore } from '@tillkit/storage'
import { BEFORE_ALL } from '../schema/tables.ts'
import type { Database } from '../session/database.ts'
import { writeEach } from '../session/transactions/write-each.ts'

export function createMerchant({ builder, write, dialect }: Database): MerchantStore['create'] {
  const { flag, time } = dialect
  return async ({ id, name, webhookUrl, features, createdAt }) => {
    const merchant = builder.insertInto('merchants').values({
      id,
      name,
      webhook_url: webhookUrl,
      webhook_key: null,
      tips: flag(features.tips),
      user_references: flag(features.userReferences),
      device_lists: flag(features.deviceLists),
      created_at: time(createdAt),
    })
    const ledger = builder.insertInto('ledgers').values({
      merchant_id: id,
      last_payment_id: 0,
      last_date: time(BEFORE_ALL),
      last_cash_up_number: 0,
      last_cash_up_payment_id: 0,
    })
    try {
      await write(
        async session => {
          await writeEach(session, merchant.compile())
          await writeEach(session, ledger.compile())
        },
        { merchantId: id },
      )
    } catch (error) {
      if (dialect.isDuplicate(error)) throw new TillError('conflict', `merchant ${id} is already there`)
      throw error
    }
  }
}
