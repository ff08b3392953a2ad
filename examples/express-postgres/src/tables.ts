import { type Generated, type Kysely, sql } from 'kysely'

/** The shop's own tables. Tillkit's are beside them, each with the prefix `tillkit_`. */
export interface ShopTables {
  stock: { item: string; price: number; remaining: number }
  orders: {
    id: Generated<number>
    item: string
    quantity: number
    state: 'open' | 'paid' | 'failed'
    /** Of Tillkit: counts from 1 within the shop. */
    payment_id: number | null
  }
}

export async function createTables(db: Kysely<ShopTables>): Promise<void> {
  await db.schema
    .createTable('stock')
    .ifNotExists()
    .addColumn('item', 'text', column => column.primaryKey())
    .addColumn('price', 'integer', column => column.notNull())
    .addColumn('remaining', 'integer', column => column.notNull().check(sql`remaining >= 0`))
    .execute()
  await db.schema
    .createTable('orders')
    .ifNotExists()
    .addColumn('id', 'serial', column => column.primaryKey())
    .addColumn('item', 'text', column => column.notNull().references('stock.item'))
    .addColumn('quantity', 'integer', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('payment_id', 'integer', column => column.unique())
    .execute()
}
