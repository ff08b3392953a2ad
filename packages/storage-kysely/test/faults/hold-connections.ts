import type { DatabaseStorage } from '../../src/index.ts'
import { merchantId } from './shop.ts'

/** What a pool of Tillkit's own has. */
export const CONNECTIONS = 10

/** Has transactions take all connections of a storage's own pool; they end when what it resolves to is called. */
export async function holdConnections(storage: DatabaseStorage): Promise<() => Promise<unknown>> {
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let open = 0
  const transactions = Array.from({ length: CONNECTIONS }, () =>
    storage.transaction(async inside => {
      await inside.merchants.get(merchantId)
      open += 1
      if (open === CONNECTIONS) begun.resolve()
      await goOn.promise
    }),
  )
  await begun.promise
  return () => {
    goOn.resolve()
    return Promise.all(transactions)
  }
}
