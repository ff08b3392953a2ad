import type { Till } from '@tillkit/till'
import { type Kysely, sql } from 'kysely'
import { expect } from 'vitest'
import type { DialectName } from '../../../src/index.ts'

interface EarlierVersion {
  /** Writes rows as that version did, in SQL of its own, since the code of that version is gone. */
  write<Tables>(db: Kysely<Tables>, dialect: DialectName): Promise<void>
  /** Expects them all there, as this version shows them. */
  check(till: Till): Promise<void>
}

/** What a database looked like after each migration. Whoever adds a migration adds an entry; the test insists. */
export const EARLIER_VERSIONS: Record<string, EarlierVersion> = {
  '0001-initial': {
    async write(db, dialect) {
      const [yes, no] = dialect === 'postgres' ? ['true', 'false'] : ['1', '0']
      const statements = [
        `insert into tillkit_merchants (id, name, webhook_url, webhook_key, tips, user_references, device_lists, created_at)
         values ('shop', 'Shop', 'https://shop.example/hook', 'sealed', ${yes}, ${no}, ${no}, INSTANT)`,
        `insert into tillkit_ledgers (merchant_id, last_payment_id, last_date, last_cash_up_number, last_cash_up_payment_id)
         values ('shop', 2, DATE, 1, 1)`,
        `insert into tillkit_api_keys (merchant_id, id, hash, label, created_at)
         values ('shop', 'key-1', '${'ab'.repeat(32)}', 'Counter', INSTANT)`,
        `insert into tillkit_scan_codes (code, merchant_id, reference, created_at) values ('till-1', 'shop', 'Counter', INSTANT)`,
        ...[1, 2].map(
          id => `insert into tillkit_payments (merchant_id, id, status, date, total_amount, tip_amount, scan_code,
             scan_code_reference, user_reference, statement_reference, is_voucher, is_voucher_redemption, required_amount,
             merchant_reference, auth_code, device_serial_number, strict, failure, extra, attempt_key, guarded_reference)
           values ('shop', ${id}, '${id === 1 ? 'completed' : 'pending'}', DATE, 9007199254740991, 5, 'till-1', 'Counter',
             null, ${id === 1 ? `'BANK-1'` : 'null'}, ${no}, ${yes}, 100, 'order-${id}', '000042', 'SN-1', ${yes}, null,
             '{"waiter":"Ann"}', 'attempt-${id}', 'order-${id}')`,
        ),
        `insert into tillkit_cash_ups (merchant_id, number, reference, date, first_payment_id, last_payment_id, idempotency_key, completed_total)
         values ('shop', 1, '${'0123456789abcdef'.repeat(2)}', DATE, 1, 1, 'evening', null)`,
        `insert into tillkit_deliveries (merchant_id, payment_id, state, attempts, fence, next_attempt_at, last_attempt_at, last_status, last_error, created_at)
         values ('shop', 1, 'pending', 2, 3, INSTANT, INSTANT, 503, 'status 503', INSTANT)`,
      ]
      const [date, instant] =
        dialect === 'mysql'
          ? ['2026-11-20 09:30:00', '2026-11-20 09:30:00.250']
          : ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00.250Z']
      for (const statement of statements) {
        const dated = statement.replaceAll('DATE', `'${date}'`).replaceAll('INSTANT', `'${instant}'`)
        await sql.raw(dated).execute(db)
      }
    },

    async check(till) {
      const [date, at] = ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00.250Z']
      const merchant = await till.merchants.get('shop')
      expect(merchant).toEqual({
        id: 'shop',
        name: 'Shop',
        webhookUrl: 'https://shop.example/hook',
        features: { tips: true, userReferences: false, deviceLists: false },
        createdAt: at,
        suspendedAt: null,
      })
      expect(await till.apiKeys.list('shop')).toEqual([
        { id: 'key-1', merchantId: 'shop', label: 'Counter', createdAt: at, expiresAt: null },
      ])
      expect(await till.scanCodes.get('till-1')).toEqual({
        code: 'till-1',
        merchantId: 'shop',
        reference: 'Counter',
        createdAt: at,
        suspendedAt: null,
      })
      const { items } = await till.payments.list('shop')
      const shown = {
        merchantId: 'shop',
        date,
        totalAmount: 2 ** 53 - 1,
        tipAmount: 5,
        scanCode: 'till-1',
        scanCodeReference: 'Counter',
        userReference: null,
        isVoucher: false,
        isVoucherRedemption: true,
        requiredAmount: 100,
        authCode: '000042',
        deviceSerialNumber: 'SN-1',
        strict: true,
        failure: null,
        extra: { waiter: 'Ann' },
      }
      expect(items).toEqual([
        { ...shown, id: 2, status: 'pending', statementReference: null, merchantReference: 'order-2' },
        { ...shown, id: 1, status: 'completed', statementReference: 'BANK-1', merchantReference: 'order-1' },
      ])
      const reference = '0123456789abcdef'.repeat(2)
      expect(await till.cashUps.create('shop', { idempotencyKey: 'evening' })).toEqual({ date, reference })
      expect((await till.cashUps.payments('shop', reference)).items).toEqual(items.slice(1))
      expect((await till.webhooks.list('shop')).items).toEqual([
        {
          merchantId: 'shop',
          paymentId: 1,
          state: 'pending',
          attempts: 2,
          nextAttemptAt: at,
          lastAttemptAt: at,
          lastStatus: 503,
          lastError: 'status 503',
          createdAt: at,
          history: [],
        },
      ])
      const again = { scanCode: 'till-1', totalAmount: 1, attemptKey: 'attempt-2' }
      expect(await till.payments.start(again)).toEqual(items[0])
      expect((await till.payments.start({ scanCode: 'till-1', totalAmount: 1 })).id).toBe(3)
    },
  },

  '0002-endpoints-and-attempts': {
    async write(db, dialect) {
      const no = dialect === 'postgres' ? 'false' : '0'
      const [date, instant] =
        dialect === 'mysql'
          ? ['2026-11-20 09:30:00', '2026-11-20 09:30:00.250']
          : ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00.250Z']
      const statements = [
        `insert into tillkit_merchants (id, name, webhook_url, webhook_key, tips, user_references, device_lists, created_at)
         values ('shop', 'Shop', 'https://shop.example/hook', null, ${no}, ${no}, ${no}, INSTANT)`,
        `insert into tillkit_payments (merchant_id, id, status, date, total_amount, scan_code, is_voucher,
           is_voucher_redemption, strict, extra)
         values ('shop', 1, 'completed', DATE, 100, 'till-1', ${no}, ${no}, ${no}, '{}')`,
        `insert into tillkit_deliveries (merchant_id, payment_id, state, attempts, fence, next_attempt_at, last_attempt_at, last_status, last_error, created_at)
         values ('shop', 1, 'pending', 1, 3, null, INSTANT, 503, 'answered 503', INSTANT)`,
        `insert into tillkit_delivery_attempts (merchant_id, payment_id, number, began_at, status, milliseconds, error, answer)
         values ('shop', 1, 1, INSTANT, 503, 42, 'answered 503', 'Try later')`,
        `insert into tillkit_failing_endpoints (merchant_id, failing_since, paused_at) values ('shop', INSTANT, INSTANT)`,
      ]
      for (const statement of statements) {
        const dated = statement.replaceAll('DATE', `'${date}'`).replaceAll('INSTANT', `'${instant}'`)
        await sql.raw(dated).execute(db)
      }
    },

    async check(till) {
      const at = '2026-11-20T09:30:00.250Z'
      const [delivery] = (await till.webhooks.list('shop')).items
      expect(delivery?.nextAttemptAt).toBe(null)
      expect(delivery?.history).toEqual([
        { at, status: 503, milliseconds: 42, error: 'answered 503', answer: 'Try later' },
      ])
      expect(await till.webhooks.paused()).toEqual([{ merchantId: 'shop', failingSince: at, pausedAt: at }])
    },
  },

  '0003-suspensions-and-keys': {
    async write(db, dialect) {
      const no = dialect === 'postgres' ? 'false' : '0'
      const [date, instant] =
        dialect === 'mysql'
          ? ['2026-11-20 09:30:00', '2026-11-20 09:30:00.250']
          : ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00.250Z']
      const statements = [
        `insert into tillkit_merchants (id, name, webhook_url, webhook_key, tips, user_references, device_lists, created_at,
           previous_webhook_key, previous_webhook_key_until)
         values ('shop', 'Shop', null, 'sealed-2', ${no}, ${no}, ${no}, INSTANT, 'sealed-1', INSTANT)`,
        `insert into tillkit_ledgers (merchant_id, last_payment_id, last_date, last_cash_up_number, last_cash_up_payment_id,
           suspended_at, suspensions)
         values ('shop', 0, DATE, 0, 0, INSTANT, 3)`,
        `insert into tillkit_api_keys (merchant_id, id, hash, label, created_at, expires_at)
         values ('shop', 'key-1', '${'ab'.repeat(32)}', 'Counter', INSTANT, INSTANT)`,
        `insert into tillkit_scan_codes (code, merchant_id, reference, created_at, suspended_at)
         values ('till-1', 'shop', 'Counter', INSTANT, INSTANT)`,
      ]
      for (const statement of statements) {
        const dated = statement.replaceAll('DATE', `'${date}'`).replaceAll('INSTANT', `'${instant}'`)
        await sql.raw(dated).execute(db)
      }
    },

    async check(till) {
      const at = '2026-11-20T09:30:00.250Z'
      expect((await till.merchants.get('shop'))?.suspendedAt).toBe(at)
      expect((await till.scanCodes.get('till-1'))?.suspendedAt).toBe(at)
      expect((await till.apiKeys.list('shop')).map(({ expiresAt }) => expiresAt)).toEqual([at])
      await till.merchants.resume('shop')
      const start = () => till.payments.start({ scanCode: 'till-1', totalAmount: 1 })
      await expect(start()).rejects.toThrow('scan code till-1 is suspended')
      await till.scanCodes.resume('till-1')
      expect((await start()).id).toBe(1)
    },
  },
}

// They change indexes, and add a table that readers fill and a column that tracers do: what is in the others is as it was.
const { '0003-suspensions-and-keys': before } = EARLIER_VERSIONS
if (before) EARLIER_VERSIONS['0004-walks'] = before
if (before) EARLIER_VERSIONS['0005-payment-blocks'] = before
if (before) EARLIER_VERSIONS['0006-fewer-entries'] = before
if (before) EARLIER_VERSIONS['0007-traces'] = before
if (before) EARLIER_VERSIONS['0008-payment-sums'] = before
if (before) EARLIER_VERSIONS['0009-settlements'] = before

EARLIER_VERSIONS['0010-lone-attempts'] = {
  async write(db, dialect) {
    await before?.write(db, dialect)
    const at = dialect === 'mysql' ? '2026-11-20 09:30:00.250' : '2026-11-20T09:30:00.250Z'
    await sql
      .raw(`insert into tillkit_deliveries (merchant_id, payment_id, state, attempts, fence, last_attempt_at, last_status,
         created_at, lone_milliseconds, lone_answer)
       values ('shop', 1, 'delivered', 1, 2, '${at}', 200, '${at}', 42, 'ok')`)
      .execute(db)
  },

  async check(till) {
    await before?.check(till)
    const [delivery] = (await till.webhooks.list('shop')).items
    expect(delivery?.history).toEqual([
      { at: '2026-11-20T09:30:00.250Z', status: 200, milliseconds: 42, error: null, answer: 'ok' },
    ])
  },
}
