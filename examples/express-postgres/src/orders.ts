import { kyselyStorage } from '@tillkit/storage-kysely'
import { createTill, type Payment } from '@tillkit/till'
import type { Kysely, Transaction } from 'kysely'
import type { ShopTables } from './tables.ts'

/** What a customer asks for and cannot have. */
export class SoldOut extends Error {}

/** Tillkit within a transaction of the shop's: what it writes commits or rolls back with the rest. */
const tillWithin = (trx: Transaction<ShopTables>) => createTill({ storage: kyselyStorage(trx, 'postgres') })

/** Records an order, starts its payment and takes it from the stock: all of it or nothing. */
export function placeOrder(
  db: Kysely<ShopTables>,
  scanCode: string,
  { item, quantity }: { item: string; quantity: number },
): Promise<{ orderId: number; payment: Payment }> {
  return db.transaction().execute(async trx => {
    const { price } = await trx
      .selectFrom('stock')
      .select('price')
      .where('item', '=', item)
      .executeTakeFirstOrThrow(() => new SoldOut(`there is no ${item}`))
    const { id: orderId } = await trx
      .insertInto('orders')
      .values({ item, quantity, state: 'open' })
      .returning('id')
      .executeTakeFirstOrThrow()

    const amount = price * quantity
    const payment = await tillWithin(trx).payments.start({
      scanCode,
      totalAmount: amount,
      requiredAmount: amount,
      merchantReference: `order-${orderId}`,
      strict: true,
    })

    await trx.updateTable('orders').set({ payment_id: payment.id }).where('id', '=', orderId).execute()
    const { numUpdatedRows } = await trx
      .updateTable('stock')
      .set(eb => ({ remaining: eb('remaining', '-', quantity) }))
      .where('item', '=', item)
      .where('remaining', '>=', quantity)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new SoldOut(`there are not ${quantity} of ${item}`)
    return { orderId, payment }
  })
}

/** What the card processor says of a payment: its outcome and the order's state change together. */
export function settleOrder(
  db: Kysely<ShopTables>,
  merchantId: string,
  { paymentId, approved }: { paymentId: number; approved: boolean },
): Promise<void> {
  return db.transaction().execute(async trx => {
    const { payments } = tillWithin(trx)
    const key = { merchantId, id: paymentId }
    await (approved ? payments.complete(key) : payments.fail(key, { failure: 'declined' }))
    await trx
      .updateTable('orders')
      .set({ state: approved ? 'paid' : 'failed' })
      .where('payment_id', '=', paymentId)
      .execute()
  })
}
