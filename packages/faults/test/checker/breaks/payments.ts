import { type Breaks, last, toldShop } from './break.ts'

const shop = `merchant_id = 'shop'`

export const paymentsBreaks = {
  ids: [
    [
      'a payment is gone',
      { sql: `delete from tillkit_payments where ${shop} and id = 3` },
      /payment 4 where 3/,
    ],
    [
      'ids are shifted',
      { sql: `update tillkit_payments set id = id + 100 where ${shop} and id > 5` },
      /106 where 6/,
    ],
    [
      'the first is not 1',
      { sql: `delete from tillkit_payments where ${shop} and id = 1` },
      /payment 2 where 1/,
    ],
  ],
  dates: [
    [
      'a date out of order',
      { sql: `update tillkit_payments set date = '2020-01-01T00:00:00Z' where ${shop} and id = 4` },
      /payment shop:4 is of 2020/,
    ],
    [
      'a cash up before the one before it',
      { sql: `update tillkit_cash_ups set date = '2020-01-01T00:00:00Z' where ${shop} and number = 2` },
      /cash up shop:2 is of 2020/,
    ],
  ],
  starts: [
    [
      'an acknowledged start is missing',
      { sql: `delete from tillkit_payments where ${shop} and id = 8` },
      /shop:8 was acknowledged and is not there/,
    ],
    [
      'an amount is another',
      { sql: `update tillkit_payments set total_amount = 1 where ${shop} and id = 2` },
      /shop:2 was acknowledged with totalAmount/,
    ],
    [
      'two payments changed places',
      {
        sql: `update tillkit_payments set id = -1 where ${shop} and id = 1; update tillkit_payments set id = 1 where ${shop} and id = 2; update tillkit_payments set id = 2 where ${shop} and id = -1`,
      },
      /was acknowledged to/,
    ],
  ],
  attempts: [
    [
      'one attempt is two payments',
      {
        sql: `update tillkit_payments set extra = (select extra from tillkit_payments where id = 1) where id = 2`,
      },
      /was asked for once and is payment shop:1 and payment shop:2/,
    ],
    [
      'a payment that nobody asked for',
      { sql: `update tillkit_payments set extra = '{"attempt":"nobody"}' where ${shop} and id = 2` },
      /shop:2 was never asked for/,
    ],
    [
      'two callers were told that they created it',
      { change: books => books.journal.push(structuredClone(last(books, 'started'))) },
      /was created twice/,
    ],
  ],
  outcomes: [
    [
      'an outcome flipped',
      {
        sql: `update tillkit_payments set status = 'error', statement_reference = null where ${shop} and id = 1`,
      },
      /shop:1 was acknowledged completed and is error/,
    ],
    [
      'a failure lost',
      { sql: `update tillkit_payments set failure = null where ${shop} and id = 4` },
      /shop:4 was acknowledged to have failed for another reason/,
    ],
    [
      'what was refused for the other outcome has this one',
      {
        change: books =>
          void books.journal.push({ what: 'conflict', wanted: 'completed', merchantId: 'shop', id: 1 }),
      },
      /shop:1 was said to be error and is completed/,
    ],
  ],
  settlements: [
    [
      'a settlement lost',
      { sql: `update tillkit_payments set statement_reference = null where ${shop} and id = 1` },
      /shop:1 was acknowledged as settled under BANK-1 and is under null/,
    ],
    [
      'settled twice',
      {
        change: books =>
          void books.journal.push({
            ...{ what: 'settled', merchantId: 'shop', statementReference: 'BANK-2', paymentIds: [1] },
          }),
      },
      /shop:1 was acknowledged as settled under BANK-2/,
    ],
    [
      'what failed is settled',
      { sql: `update tillkit_payments set statement_reference = 'BANK-1' where ${shop} and id = 4` },
      /shop:4 is error and settled/,
    ],
  ],
  strict: [
    [
      'a strict reference twice',
      {
        sql: `update tillkit_payments set strict = 1, guarded_reference = null, merchant_reference = 'order-1' where ${shop} and id in (1, 2)`,
      },
      /two live strict payments have the reference shop order-1/,
    ],
  ],
  pending: [
    [
      'a payment that is still pending',
      { sql: `update tillkit_payments set status = 'pending' where ${shop} and id = 4` },
      /shop:4 is still pending/,
    ],
    [
      'a period that is not ready',
      { change: books => void Object.assign(toldShop(books).periods[0] ?? {}, { payments: null }) },
      /still not ready/,
    ],
  ],
} satisfies Breaks
