import type { Merchant } from '@tillkit/domain'
import type { MerchantStore } from '@tillkit/storage'
import { wakeEndpoint } from '../endpoints/wake-endpoint.ts'
import { toMerchant } from '../schema/rows/rows.ts'
import type { Database } from '../session/database.ts'
import type { Session } from '../session/session.ts'
import { currentRead } from '../session/statements/current-read.ts'
import { prepare } from '../session/statements/prepared.ts'
import { createMerchant } from './create-merchant.ts'
import { selectMerchants } from './select-merchants.ts'
import { setWebhookKey } from './set-webhook-key.ts'
import { suspendMerchant } from './suspend-merchant.ts'

export function merchantStore(database: Database): MerchantStore {
  const { builder, read, write, dialect } = database
  const wake = wakeEndpoint(database)
  const merchantOf = (p: { id: string }) => selectMerchants(database).where('merchants.id', '=', p.id)
  const findMerchant = prepare(merchantOf)
  const findChanged = prepare((p: { id: string }) => currentRead(database, merchantOf(p)))
  const listMerchants = prepare((p: { after: string; limit: number }) =>
    selectMerchants(database).where('merchants.id', '>', p.after).orderBy('merchants.id').limit(p.limit),
  )

  const moveTo = (id: string, url: string | null) =>
    builder
      .updateTable('merchants')
      .set({ webhook_url: url })
      .where('id', '=', id)
      .where(eb =>
        url === null
          ? eb('webhook_url', 'is not', null)
          : eb.or([eb('webhook_url', 'is', null), eb('webhook_url', '<>', url)]),
      )
      .compile()

  const flagOf = (feature: boolean | undefined) => (feature === undefined ? undefined : dialect.flag(feature))
  const features = ({ tips, userReferences, deviceLists }: Partial<Merchant['features']>) => ({
    tips: flagOf(tips),
    user_references: flagOf(userReferences),
    device_lists: flagOf(deviceLists),
  })

  return {
    create: createMerchant(database),

    async get(id) {
      const row = await read.first(findMerchant({ id }))
      return row ? toMerchant(row) : null
    },

    async update(id, patch, now) {
      const { webhookUrl } = patch
      const options = { repeatable: true, merchantId: id }
      const wakeSome = (session: Session) => wake(session, id, dialect.time(now))
      let mayRest = false
      const merchant = await write(async session => {
        const isMoved = webhookUrl !== undefined && (await session.change(moveTo(id, webhookUrl))) > 0
        // Taken away once more, it may have been broken off halfway before.
        if (isMoved || webhookUrl === null) mayRest = await wakeSome(session)
        // A URL that is there already is written once more: a commit that has written nothing waits for no standby.
        const again = isMoved ? undefined : webhookUrl
        const changes = { name: patch.name, webhook_url: again, ...features(patch.features ?? {}) }
        if (Object.values(changes).some(value => value !== undefined)) {
          await session.change(builder.updateTable('merchants').set(changes).where('id', '=', id).compile())
        }
        const row = await session.first(findChanged({ id }))
        return row ? toMerchant(row) : null
      }, options)
      // Each is given up without a URL, and no success goes on with the others.
      while (mayRest && webhookUrl === null) mayRest = await write(wakeSome, options)
      return merchant
    },

    ...suspendMerchant(database, findChanged),

    async list({ after = '', limit }) {
      return (await read.all(listMerchants({ after, limit }))).map(toMerchant)
    },

    setWebhookKey: setWebhookKey(database, findChanged),
  }
}
