import { TillError } from '@tillkit/domain'
import type { ScanCodeStore } from '@tillkit/storage'
import { addForMerchant } from '../citus/add-for-merchant.ts'
import type { Database } from '../session/database.ts'
import { prepareChange } from '../session/statements/prepared.ts'

export function addScanCode(database: Database): ScanCodeStore['add'] {
  const { builder, write, dialect } = database
  const addWhole = addForMerchant(database, 'scan_codes')
  const insert = prepareChange(
    (p: { code: string; merchantId: string; reference: string | null; at: string }) =>
      builder
        .insertInto('scan_codes')
        .columns(['code', 'merchant_id', 'reference', 'created_at'])
        .expression(eb =>
          eb
            .selectFrom('merchants')
            .select(row => [
              row.val(p.code).as('code'),
              'merchants.id',
              row.val(p.reference).as('reference'),
              row.val(p.at).as('created_at'),
            ])
            .where('merchants.id', '=', p.merchantId),
        ),
  )

  return async ({ code, merchantId, reference, createdAt }) => {
    const created_at = dialect.time(createdAt)
    const scanCode = insert({ code, merchantId, reference, at: created_at })
    try {
      const added = dialect.distributed
        ? await addWhole(merchantId, { code, merchant_id: merchantId, reference, created_at })
        : await write(session => session.change(scanCode), { statement: true, merchantId })
      if (added === 0) throw new TillError('not_found', `merchant ${merchantId} is unknown`)
    } catch (error) {
      if (dialect.isDuplicate(error)) throw new TillError('conflict', `scan code ${code} is taken`)
      throw error
    }
  }
}
