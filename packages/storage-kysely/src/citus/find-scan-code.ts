import type { ScanCodeStore } from '@tillkit/storage'
import { selectMerchants } from '../merchants/select-merchants.ts'
import { columnsOf } from '../schema/columns.ts'
import { SCAN_CODE_COLUMNS, toMerchant, toScanCode } from '../schema/rows/rows.ts'
import type { Database } from '../session/database.ts'
import { prepare } from '../session/statements/prepared.ts'

/** The code, which every node has, and then its merchant, which one has: a code is its merchant's for good. */
export function findScanCode(database: Database): ScanCodeStore['find'] {
  const { builder, read, dialect } = database
  const findCode = prepare((p: { code: string }) =>
    builder
      .selectFrom('scan_codes')
      .select(columnsOf(dialect, 'scan_codes', SCAN_CODE_COLUMNS))
      .where('code', '=', p.code),
  )
  const findMerchant = prepare((p: { id: string }) =>
    selectMerchants(database).where('merchants.id', '=', p.id),
  )
  return async code => {
    const row = await read.first(findCode({ code }))
    const merchant = row && (await read.first(findMerchant({ id: row.merchant_id })))
    return merchant ? { scanCode: toScanCode(row), merchant: toMerchant(merchant) } : null
  }
}
