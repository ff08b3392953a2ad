import type { ScanCodeStore } from '@tillkit/storage'
import { sql } from 'kysely'
import { columnsOf } from '../schema/columns.ts'
import { SCAN_CODE_COLUMNS, toScanCode } from '../schema/rows/rows.ts'
import type { Database } from '../session/database.ts'
import { currentRead } from '../session/statements/current-read.ts'
import { prepare } from '../session/statements/prepared.ts'

/**
 * A code is suspended with its merchant's lock held, and counted in the ledger: a start that is one statement reads the
 * code as of before it had the lock, and learns from the count that this is out of date.
 */
export function suspendScanCode(database: Database): Pick<ScanCodeStore, 'suspend' | 'resume'> {
  const { builder, read, write, dialect } = database
  const codeOf = (p: { code: string }) =>
    builder
      .selectFrom('scan_codes')
      .select(columnsOf(dialect, 'scan_codes', SCAN_CODE_COLUMNS))
      .where('code', '=', p.code)
  const find = prepare(codeOf)
  const findChanged = prepare((p: { code: string }) => currentRead(database, codeOf(p)))
  const count = prepare((p: { merchantId: string }) =>
    builder
      .updateTable('ledgers')
      .set({ suspensions: sql<number>`suspensions + 1` })
      .where('merchant_id', '=', p.merchantId),
  )
  const suspend = prepare((p: { code: string; at: string }) =>
    builder
      .updateTable('scan_codes')
      .set({ suspended_at: sql<string>`coalesce(suspended_at, ${p.at})` })
      .where('code', '=', p.code),
  )
  const resume = prepare((p: { code: string }) =>
    builder.updateTable('scan_codes').set({ suspended_at: null }).where('code', '=', p.code),
  )
  const change = async (code: string, query: ReturnType<typeof suspend>) => {
    // A code is its merchant's for good.
    const merchantId = (await read.first(find({ code })))?.merchant_id
    if (merchantId === undefined) return null
    return write(
      async session => {
        await session.change(count({ merchantId }))
        await session.change(query)
        const row = await session.first(findChanged({ code }))
        return row ? toScanCode(row) : null
      },
      { repeatable: true, merchantId },
    )
  }

  return {
    suspend: (code, now) => change(code, suspend({ code, at: dialect.time(now) })),
    resume: code => change(code, resume({ code })),
  }
}
