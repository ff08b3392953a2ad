import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { askCitus, createOnCitus } from '../../engines/citus.ts'
import { overCitus } from '../../engines/over-citus.ts'
import { attempt, merchantId, NOW, openShop } from '../../faults/shop.ts'

overCitus(() => {
  test('a strict start that read what a moved shard had left behind is made anew', async () => {
    const { storage, schema, drop } = await createOnCitus()
    await openShop(storage)
    const { payment } = await storage.payments.start(attempt(), NOW)
    // As the old copy of a shard has it, where `force_logical` moves it between the statements of a transaction.
    const ledgerAt = (id: number) =>
      askCitus(
        `update "${schema}".tillkit_ledgers set last_payment_id = ${id} where merchant_id = '${merchantId}'`,
      )
    await ledgerAt(0)
    const strict = attempt({ strict: true, merchantReference: 'order 1' })
    const starting = storage.payments.start(strict, NOW)
    await sleep(300)
    await ledgerAt(payment.id)
    expect(await starting).toMatchObject({ payment: { id: payment.id + 1, status: 'pending' } })
    await drop()
  })
})
