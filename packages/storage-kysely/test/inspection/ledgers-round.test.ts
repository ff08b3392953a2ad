import { expect, test } from 'vitest'
import { timeLimitsOf } from '../../src/connections/limits/time-limits.ts'
import { dialectOf } from '../../src/dialects/index.ts'
import { ledgerFindings } from '../../src/inspection/ledger-findings.ts'
import { databaseOf } from '../../src/kysely-storage.ts'
import { PATIENT } from '../engines/address.ts'
import { sqlite } from '../engines/sqlite.ts'
import { inTables } from './in-tables.ts'

const host = inTables(sqlite.create, { layout: {} })

/** Merchants `m0001`, `m0002` and so on, of whom one has lost a payment. */
async function openMany(count: number, disagreeing: string): Promise<void> {
  const numbers = `with recursive n as (select 1 as n union all select n + 1 from n where n < ${count})`
  const id = `printf('m%04d', n)`
  await host.run(
    `insert into tillkit_merchants (id, name, tips, user_references, device_lists, created_at)
     ${numbers} select ${id}, 'Shop', 0, 0, 0, '2026-11-20T09:30:00.000Z' from n`,
  )
  await host.run(
    `insert into tillkit_ledgers (merchant_id, last_payment_id, last_date, last_cash_up_number, last_cash_up_payment_id)
     ${numbers} select ${id}, 0, '1970-01-01T00:00:00Z', 0, 0 from n`,
  )
  await host.run(`update tillkit_ledgers set last_payment_id = 1 where merchant_id = '${disagreeing}'`)
}

/** What one statement finds, which is all that there is time for, and all that is looked at where there is more. */
async function found(at: number, seconds = 0): Promise<string[]> {
  const { builder: tables } = databaseOf(host.db as never, dialectOf('sqlite'), {}, timeLimitsOf(PATIENT))
  return (await ledgerFindings({ tables }, { at, seconds })).map(({ level, says }) => `${level}: ${says}`)
}

const gone = 'problem: The first or the last payment is gone, and totals count it, of: m2400.'
const note = (after: string, to: string) =>
  `note: Ledgers were looked at for 0 seconds: none after that of ${after}, round to that of ${to}; another time it begins elsewhere.`

test('where time ends before the last merchant, it depends on where it began whom it looked at', async () => {
  await openMany(2500, 'm2400')
  expect(await found(0)).toEqual([note('m1001', 'm0001')])
  expect(await found(0.2)).toEqual([note('m1501', 'm0501')])
  expect(await found(0.56)).toEqual([gone, note('m2401', 'm1401')])
  // Fewer than one statement takes are left behind it: the first ones are looked at as well.
  expect(await found(0.8)).toEqual([gone, note('m1000', 'm2001')])
  expect(await found(0.999)).toEqual([note('m1000', 'm2498')])
})

test('where there is time for all, all are looked at once, wherever it began', async () => {
  await openMany(2500, 'm2400')
  for (const at of [0, 0.4, 0.9599, 0.96, 0.9999]) expect(await found(at, 60)).toEqual([gone])
})
