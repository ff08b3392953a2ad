import { TillError } from '@tillkit/domain'
import type { ScanCodeStore } from '@tillkit/storage'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/prepared.ts'

export function addScanCode({ builder, write, dialect }: Database): ScanCodeStore['add'] {
  const insert = prepare((p: { code: string; merchantId: string; reference: string | null; at: string }) =>
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
    const scanCode = insert({ code, merchantId, reference, at: dialect.time(createdAt) })
    try {
      const added = await write(session => session.change(scanCode), { statement: true, merchantId })
      if (added === 0) throw new TillError('not_found', `merchant ${merchantId} is unknown`)
    } catch (error) {
      if (dialect.isDuplicate(error)) throw new TillError('conflict', `scan code ${code} is taken`)
      throw error
    }
  }
}
