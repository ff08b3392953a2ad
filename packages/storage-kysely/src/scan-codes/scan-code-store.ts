import type { ScanCodeStore } from '@tillkit/storage'
import { findScanCode } from '../citus/find-scan-code.ts'
import { selectMerchants } from '../merchants/select-merchants.ts'
import { columnsOf } from '../schema/columns.ts'
import { SCAN_CODE_COLUMNS, toMerchant, toScanCode } from '../schema/rows/rows.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/statements/prepared.ts'
import { addScanCode } from './add-scan-code.ts'
import { suspendScanCode } from './suspend-scan-code.ts'

export function scanCodeStore(database: Database): ScanCodeStore {
  const { builder, read, dialect } = database
  const findCode = prepare((p: { code: string }) =>
    selectMerchants(database)
      .innerJoin('scan_codes', 'scan_codes.merchant_id', 'merchants.id')
      .select('scan_codes.reference')
      .select(eb => dialect.timeOf(eb.ref('scan_codes.created_at')).as('code_created_at'))
      .select(eb => dialect.timeOf(eb.ref('scan_codes.suspended_at')).as('code_suspended_at'))
      .where('scan_codes.code', '=', p.code),
  )
  const listCodes = prepare((p: { merchantId: string }) =>
    builder
      .selectFrom('scan_codes')
      .select(columnsOf(dialect, 'scan_codes', SCAN_CODE_COLUMNS))
      .where('merchant_id', '=', p.merchantId)
      .orderBy('scan_codes.created_at')
      .orderBy('code'),
  )

  const find: ScanCodeStore['find'] = async code => {
    const row = await read.first(findCode({ code }))
    if (!row) return null
    const { reference, code_created_at: created_at, code_suspended_at: suspended_at, ...merchant } = row
    return {
      scanCode: toScanCode({ code, merchant_id: merchant.id, reference, created_at, suspended_at }),
      merchant: toMerchant(merchant),
    }
  }

  return {
    add: addScanCode(database),

    find: dialect.distributed ? findScanCode(database) : find,

    ...suspendScanCode(database),

    async list(merchantId) {
      return (await read.all(listCodes({ merchantId }))).map(toScanCode)
    },
  }
}
