import { secondsBetween, TillError } from '@tillkit/domain'
import type { ApiKeyStore } from '@tillkit/storage'
import { addForMerchant } from '../citus/add-for-merchant.ts'
import { findKeyOwner } from '../citus/find-key-owner.ts'
import { selectMerchants } from '../merchants/select-merchants.ts'
import { columnsOf } from '../schema/columns.ts'
import { instantOf } from '../schema/dates.ts'
import { API_KEY_COLUMNS, toApiKey, toMerchant } from '../schema/rows/rows.ts'
import type { Database } from '../session/database.ts'
import { prepare, prepareChange } from '../session/statements/prepared.ts'
import type { Doubt } from '../session/transactions/doubt.ts'
import { givenTime } from '../time/given-time.ts'

export function apiKeyStore(database: Database): ApiKeyStore {
  const { builder, read, write, dialect } = database
  const addKey = prepareChange(
    (p: {
      merchantId: string
      id: string
      hash: string
      label: string | null
      at: string
      until: string | null
    }) =>
      builder
        .insertInto('api_keys')
        .columns(['merchant_id', 'id', 'hash', 'label', 'created_at', 'expires_at'])
        .expression(eb =>
          eb
            .selectFrom('merchants')
            .select(row => [
              'merchants.id',
              row.val(p.id).as('key_id'),
              row.val(p.hash).as('hash'),
              row.val(p.label).as('label'),
              row.val(p.at).as('created_at'),
              row.val(p.until).as('expires_at'),
            ])
            .where('merchants.id', '=', p.merchantId),
        ),
  )
  const findOwner = prepare((p: { hash: string; now: string | null }) =>
    selectMerchants(database)
      .innerJoin('api_keys', 'api_keys.merchant_id', 'merchants.id')
      .select(eb => dialect.timeOf(eb.ref('api_keys.expires_at')).as('expires_at'))
      .select(dialect.timeOf(dialect.orNow(p.now)).as('now'))
      .where('api_keys.hash', '=', p.hash),
  )
  const ownerOf = dialect.distributed
    ? findKeyOwner(database)
    : (key: Parameters<typeof findOwner>[0]) => read.first(findOwner(key))
  const shareMerchant = prepare((p: { merchantId: string }) =>
    builder.selectFrom('merchants').select('id').where('id', '=', p.merchantId).forKeyShare(),
  )
  const addWhole = addForMerchant(database, 'api_keys')
  const listKeys = prepare((p: { merchantId: string }) =>
    builder
      .selectFrom('api_keys')
      .select(columnsOf(dialect, 'api_keys', API_KEY_COLUMNS))
      .where('merchant_id', '=', p.merchantId)
      .orderBy('api_keys.created_at')
      .orderBy('id'),
  )
  const dropKey = prepareChange((p: { merchantId: string; id: string }) =>
    builder.deleteFrom('api_keys').where('merchant_id', '=', p.merchantId).where('id', '=', p.id),
  )

  return {
    async add({ id, merchantId, label, createdAt, expiresAt }, hash) {
      const created_at = dialect.time(createdAt)
      const expires_at = expiresAt && dialect.time(expiresAt)
      const key = addKey({ merchantId, id, hash, label, at: created_at, until: expires_at })
      const row = { id, merchant_id: merchantId, hash, label, created_at, expires_at }
      const added = dialect.distributed
        ? await addWhole(merchantId, row)
        : await write(session => session.change(key), { statement: true, merchantId })
      if (added === 0) throw new TillError('not_found', `merchant ${merchantId} is unknown`)
    },

    async findMerchant(hash, now) {
      const row = await ownerOf({ hash, now: givenTime(dialect, now) })
      if (!row) return null
      const secondsLeft =
        row.expires_at === null ? null : secondsBetween(instantOf(row.now), instantOf(row.expires_at))
      if (secondsLeft !== null && secondsLeft <= 0) return null
      return { merchant: toMerchant(row), secondsLeft }
    },

    async list(merchantId) {
      return (await read.all(listKeys({ merchantId }))).map(toApiKey)
    },

    async revoke(merchantId, id) {
      const doubt: Doubt = {}
      const query = dropKey({ merchantId, id })
      const changed = await write(
        async session => {
          const dropped = await session.change(query)
          // One that is gone already leaves no row of its own to lock: see `findDone`.
          if (dropped === 0 && dialect.name === 'postgres') await session.first(shareMerchant({ merchantId }))
          return dropped
        },
        { repeatable: true, doubt, merchantId },
      )
      // A key that is not there was taken by the try that nobody answered.
      return changed > 0 || doubt.unknown !== undefined
    },
  }
}
