import { type Breaks, toldShop } from './break.ts'

const shop = `merchant_id = 'shop'`

export const periodsBreaks = {
  cashUps: [
    [
      'a cash up lost',
      { sql: `delete from tillkit_cash_ups where ${shop} and number = 1` },
      /was acknowledged and is not there/,
    ],
    [
      'an idempotency key for two',
      { sql: `update tillkit_cash_ups set idempotency_key = null where ${shop} and number = 1` },
      /was acknowledged for evening and has null/,
    ],
    [
      'one that nobody numbered',
      { sql: `update tillkit_cash_ups set number = 7 where ${shop} and number = 2` },
      /shop has cash up 3 where 2 should be/,
    ],
  ],
  periods: [
    [
      'a payment in two periods',
      { sql: `update tillkit_cash_ups set first_payment_id = 3 where ${shop} and number = 2` },
      /is in the periods/,
    ],
    [
      'a payment in none',
      {
        sql: `update tillkit_cash_ups set first_payment_id = first_payment_id + 1 where ${shop} and number = 2`,
      },
      /should begin at/,
    ],
    [
      'the total of a period is wrong',
      { sql: `update tillkit_cash_ups set completed_total = 99 where ${shop} and number = 1` },
      /has the total 99 and/,
    ],
  ],
  totals: [
    [
      'a total is wrong',
      { change: books => void Object.assign(toldShop(books), { total: 99 }) },
      /has the total \d+ and/,
    ],
    [
      'the ledger is ahead of the rows',
      { sql: `update tillkit_ledgers set last_payment_id = last_payment_id + 1 where ${shop}` },
      /has the total \d+ and/,
    ],
    [
      'a total of a status is wrong',
      { change: books => void Object.assign(toldShop(books).byStatus, { completed: 99 }) },
      /of completed and/,
    ],
    [
      'a payment that is not listed',
      { change: books => void toldShop(books).payments.pop() },
      /is not in the list/,
    ],
    [
      'one that is listed otherwise',
      { change: books => void Object.assign(toldShop(books).payments[0] ?? {}, { totalAmount: -1 }) },
      /listed otherwise/,
    ],
  ],
} satisfies Breaks
