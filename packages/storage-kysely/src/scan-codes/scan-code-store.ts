import { TillError } from '@tillkit/domain'
import type { ScanCodeStore } from '@tillkit/storage'
import { MERCHANT_COLUMNS, SCAN_CODE_COLUMNS, toMerchant, toScanCode } from '../schema/rows.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'

export function scanCodeStore({ builder, read, write }: Database): ScanCodeStore {
  const findMerchantId = prepare((p: { id: string }) =>
    builder.selectFrom('merchants').select('id').where('id', '=', p.id),
  )
  const addCode = prepare((p: { code: string; merchantId: string; reference: string | null; at: string }) =>
    builder
      .insertInto('scan_codes')
      .values({ code: p.code, merchant_id: p.merchantId, reference: p.reference, created_at: p.at })
      .onConflict(conflict => conflict.doNothing()),
  )
  const findCode = prepare((p: { code: string }) =>
    builder
      .selectFrom('scan_codes')
      .innerJoin('merchants', 'merchants.id', 'scan_codes.merchant_id')
      .select(MERCHANT_COLUMNS.map(column => `merchants.${column}` as const))
      .select(['scan_codes.reference', 'scan_codes.created_at as code_created_at'])
      .where('scan_codes.code', '=', p.code),
  )
  const listCodes = prepare((p: { merchantId: string }) =>
    builder
      .selectFrom('scan_codes')
      .select(SCAN_CODE_COLUMNS)
      .where('merchant_id', '=', p.merchantId)
      .orderBy('created_at')
      .orderBy('code'),
  )

  return {
    add: ({ code, merchantId, reference, createdAt }) =>
      write(async session => {
        if (!(await session.first(findMerchantId({ id: merchantId })))) {
          throw new TillError('not_found', `merchant ${merchantId} is unknown`)
        }
        const added = await session.change(addCode({ code, merchantId, reference, at: createdAt }))
        if (added === 0) throw new TillError('conflict', `scan code ${code} is taken`)
      }),

    async find(code) {
      const row = await read.first(findCode({ code }))
      if (!row) return null
      const { reference, code_created_at: created_at, ...merchant } = row
      return {
        scanCode: toScanCode({ code, merchant_id: merchant.id, reference, created_at }),
        merchant: toMerchant(merchant),
      }
    },

    async list(merchantId) {
      return (await read.all(listCodes({ merchantId }))).map(toScanCode)
    },
  }
}
