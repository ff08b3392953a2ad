import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '../../engines/address.ts'
import { openSession, type Session } from '../../faults/session.ts'
import { merchantId } from '../../faults/shop.ts'

/** A process of the version of migration 0001, as far as it matters: its statements, which know nothing of what came later. */
export interface FirstVersion {
  /** Starts a payment, and returns its id. */
  start(): Promise<number>
  /** Completes it, with its delivery. */
  complete(id: number): Promise<void>
  /** Leases what is due, and delivers it; returns the ids. */
  deliver(): Promise<number[]>
  /** The last payments of a status: how many there are on the page. */
  page(status: string): Promise<number>
  close(): Promise<void>
}

const LATER = '2027-01-01 00:00:00'

export async function firstVersionAt(address: Address): Promise<FirstVersion> {
  const session = await openSession(address)
  if (address.dialect === 'mysql') await session.run('set session transaction isolation level read committed')
  const [no, instant] = address.dialect === 'postgres' ? ['false', 'now()'] : ['0', 'utc_timestamp(3)']
  const name = (table: string) => session.table(table)

  return {
    start: () =>
      inTransaction(session, async () => {
        await session.run(`update ${name('ledgers')} set last_payment_id = last_payment_id + 1, last_date = '2026-11-21 09:30:00'
          where merchant_id = '${merchantId}'`)
        const [row] = await session.run(
          `select last_payment_id as id from ${name('ledgers')} where merchant_id = '${merchantId}'`,
        )
        const id = Number(row?.id)
        await session.run(`insert into ${name('payments')} (merchant_id, id, status, date, total_amount, scan_code,
            is_voucher, is_voucher_redemption, strict, extra)
          values ('${merchantId}', ${id}, 'pending', '2026-11-21 09:30:00', 100, 'till-1', ${no}, ${no}, ${no}, '{}')`)
        return id
      }),

    complete: id =>
      inTransaction(session, async () => {
        await session.run(`update ${name('payments')} set status = 'completed'
          where merchant_id = '${merchantId}' and id = ${id} and status = 'pending'`)
        await session.run(`insert into ${name('deliveries')} (merchant_id, payment_id, state, attempts, fence, next_attempt_at, created_at)
          values ('${merchantId}', ${id}, 'pending', 0, 0, ${instant}, ${instant})`)
      }),

    deliver: () =>
      inTransaction(session, async () => {
        const due = await session.run(`select payment_id as id from ${name('deliveries')}
          where state = 'pending' and next_attempt_at <= '${LATER}' order by next_attempt_at limit 3 for update skip locked`)
        const ids = due.map(({ id }) => Number(id))
        for (const id of ids) {
          await session.run(`update ${name('deliveries')} set state = 'delivered', fence = fence + 1, attempts = attempts + 1,
              next_attempt_at = null, last_attempt_at = ${instant}, last_status = 200
            where merchant_id = '${merchantId}' and payment_id = ${id}`)
        }
        return ids
      }),

    page: async status =>
      (
        await session.run(`select id, status, date, total_amount from ${name('payments')}
          where merchant_id = '${merchantId}' and status = '${status}' order by id desc limit 50`)
      ).length,

    close: () => session.close(),
  }
}

/** Writes a shop without payments as that version did. */
export async function openFirstShop(address: Address): Promise<void> {
  const session = await openSession(address)
  const [date, no] = ['2026-11-20 09:30:00', address.dialect === 'postgres' ? 'false' : '0']
  await session.run(`insert into ${session.table('merchants')} (id, name, webhook_url, tips, user_references, device_lists, created_at)
    values ('${merchantId}', 'Shop', 'https://shop.example/hook', ${no}, ${no}, ${no}, '${date}')`)
  await session.run(`insert into ${session.table('ledgers')} (merchant_id, last_payment_id, last_date, last_cash_up_number, last_cash_up_payment_id)
    values ('${merchantId}', 0, '${date}', 0, 0)`)
  await session.close()
}

async function inTransaction<Result>(session: Session, work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    await session.run('begin')
    try {
      const result = await work()
      await session.run('commit')
      return result
    } catch (error) {
      await session.run('rollback')
      if (!UNDONE.has(`${(error as { code?: unknown }).code}`)) throw error
      await sleep(5)
    }
  }
}

/** Deadlocks, which a process of that version runs again too. */
const UNDONE = new Set(['40P01', 'ER_LOCK_DEADLOCK'])
