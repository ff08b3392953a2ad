import type { StartPayment, StatementRow, Till } from '@tillkit/till'
import { tillOf } from '../till-of.ts'

/** A till with two merchants, and ways to bring about payments and to import rows. */
export async function settlementScene(options: Parameters<typeof tillOf>[0] = {}) {
  const scene = await tillOf(options)
  const { till } = scene
  await till.merchants.create({ id: 'cafe', name: 'Café' })
  await till.scanCodes.create('cafe', { code: 'table' })

  const completed = async (payment: Partial<StartPayment> = {}) =>
    till.payments.complete(await scene.pay(payment))
  const failed = async (payment: Partial<StartPayment> = {}) => till.payments.fail(await scene.pay(payment))
  const importRows = (rows: StatementRow[], more: object = {}) =>
    till.settlements.import({ statementReference: 'S-1', rows, ...more })
  return { ...scene, completed, failed, importRows }
}

/** Under which reference each payment of a merchant was settled, by ascending id. */
export async function settledAs(till: Till, merchantId = 'shop'): Promise<(string | null)[]> {
  const { items } = await till.payments.list(merchantId, { perPage: 100 })
  return items.toReversed().map(payment => payment.statementReference)
}

/** The differences of an import, in short. */
export function inShort(differences: { row: StatementRow; why: string; payment?: { id: number } }[]) {
  return differences.map(({ row, why, payment }) => [row.line ?? null, why, payment?.id ?? null])
}
