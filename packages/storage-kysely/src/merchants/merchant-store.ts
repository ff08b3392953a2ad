import { type Merchant, TillError } from '@tillkit/domain'
import type { MerchantStore } from '@tillkit/storage'
import { MERCHANT_COLUMNS, toMerchant } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'

export function merchantStore({ builder, read, write, dialect }: Database): MerchantStore {
  const findMerchant = prepare((p: { id: string }) =>
    builder.selectFrom('merchants').select(MERCHANT_COLUMNS).where('id', '=', p.id),
  )
  const listMerchants = prepare((p: { after: string; limit: number }) =>
    builder
      .selectFrom('merchants')
      .select(MERCHANT_COLUMNS)
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit),
  )
  const setKey = prepare((p: { id: string; key: string }) =>
    builder.updateTable('merchants').set({ webhook_key: p.key }).where('id', '=', p.id),
  )

  const features = ({ tips, userReferences, deviceLists }: Partial<Merchant['features']>) => ({
    tips: tips === undefined ? undefined : dialect.flag(tips),
    user_references: userReferences === undefined ? undefined : dialect.flag(userReferences),
    device_lists: deviceLists === undefined ? undefined : dialect.flag(deviceLists),
  })

  return {
    async create(merchant) {
      await write(async session => {
        const added = await session.change(
          builder
            .insertInto('merchants')
            .values({
              id: merchant.id,
              name: merchant.name,
              webhook_url: merchant.webhookUrl,
              webhook_key: null,
              tips: dialect.flag(merchant.features.tips),
              user_references: dialect.flag(merchant.features.userReferences),
              device_lists: dialect.flag(merchant.features.deviceLists),
              created_at: merchant.createdAt,
            })
            .onConflict(conflict => conflict.doNothing())
            .compile(),
        )
        if (added === 0) throw new TillError('conflict', `merchant ${merchant.id} is already there`)
        await session.change(
          builder
            .insertInto('ledgers')
            .values({
              merchant_id: merchant.id,
              last_payment_id: 0,
              last_date: '',
              last_cash_up_number: 0,
              last_cash_up_payment_id: 0,
            })
            .compile(),
        )
      })
    },

    async get(id) {
      const row = await read.first(findMerchant({ id }))
      return row ? toMerchant(row) : null
    },

    update: (id, patch) =>
      write(async session => {
        const changes = { name: patch.name, webhook_url: patch.webhookUrl, ...features(patch.features ?? {}) }
        if (Object.values(changes).some(value => value !== undefined)) {
          await session.change(builder.updateTable('merchants').set(changes).where('id', '=', id).compile())
        }
        const row = await session.first(findMerchant({ id }))
        return row ? toMerchant(row) : null
      }),

    async list({ after = '', limit }) {
      return (await read.all(listMerchants({ after, limit }))).map(toMerchant)
    },

    async setWebhookKey(id, key) {
      return write(async session => (await session.change(setKey({ id, key }))) > 0)
    },
  }
}
