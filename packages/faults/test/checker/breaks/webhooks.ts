import { type Breaks, last } from './break.ts'

const shop = `merchant_id = 'shop'`

export const webhooksBreaks = {
  deliveries: [
    [
      'a delivery lost',
      { sql: `delete from tillkit_deliveries where ${shop} and payment_id = 2` },
      /shop:2 is completed and has no delivery/,
    ],
    [
      'a delivery of what is pending',
      { sql: `update tillkit_payments set status = 'pending' where ${shop} and id = 2` },
      /shop:2 is pending and has a delivery/,
    ],
    [
      'one that was not delivered',
      { sql: `update tillkit_deliveries set state = 'exhausted' where ${shop} and payment_id = 2` },
      /delivery of payment shop:2 is exhausted/,
    ],
  ],
  results: [
    [
      'a recorded result lost',
      { sql: `update tillkit_deliveries set state = 'pending' where ${shop} and payment_id = 2` },
      /shop:2 was delivered and its delivery is pending/,
    ],
    [
      'an attempt lost',
      { sql: `update tillkit_deliveries set lone_milliseconds = null where ${shop} and payment_id = 2` },
      /attempt 1 to deliver payment shop:2 was recorded and is not kept/,
    ],
    [
      'an attempt that is not counted',
      { sql: `update tillkit_deliveries set attempts = 0 where ${shop} and payment_id = 2` },
      /is not counted/,
    ],
  ],
  arrivals: [
    [
      'a webhook never arrived',
      { change: books => void books.journal.splice(books.journal.indexOf(last(books, 'received')), 1) },
      /is delivered and never arrived/,
    ],
    [
      'a webhook of a pending payment',
      { change: books => void Object.assign(last(books, 'received'), { status: 'pending' }) },
      /while it was pending/,
    ],
    [
      'a wrong signature',
      { change: books => void Object.assign(last(books, 'received'), { signed: false }) },
      /had a wrong signature/,
    ],
    [
      'a webhook of another amount',
      { change: books => void Object.assign(last(books, 'received'), { totalAmount: 1 }) },
      /, 1 cents; it is/,
    ],
    [
      'a webhook of nothing',
      { change: books => void Object.assign(last(books, 'received'), { id: 999 }) },
      /told of payment shop:999, which is not there/,
    ],
  ],
} satisfies Breaks
