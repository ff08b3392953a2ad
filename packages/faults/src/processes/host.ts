import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCheckout, type PaymentProcessor } from '@tillkit/checkout'
import { toNode } from '@tillkit/node'
import { createTill, type Payment, TillError } from '@tillkit/till'
import { type Address, storageAt } from '../engines/address.ts'
import { refusalOf } from '../journal/refusal.ts'
import type { BankAnswer, ChargeRequest } from './bank.ts'
import { type Orders, program } from './program.ts'

/** Serves the checkout before a bank, and asks the bank again for what it has not told. */
export interface HostOrders extends Orders {
  address: Address
  bankUrl: string
  /** After how long the bank's answer is given up on, in seconds. */
  timeoutSeconds: number
}

const { orders, journal, logger, stopping, ready, end } = program<HostOrders>()
const { address, bankUrl, timeoutSeconds } = orders
const storage = storageAt(address)
const till = createTill({ storage, logger })
/** Ends what the bank never answers, so that the process can end. */
const over = new AbortController()

async function lookup({ merchantId, id }: Payment): Promise<BankAnswer> {
  const answer = await fetch(`${bankUrl}/${merchantId}:${id}`, { signal: over.signal })
  return (await answer.json()) as BankAnswer
}

const processor: PaymentProcessor = {
  async charge({ merchantId, id, totalAmount }) {
    const request: ChargeRequest = { merchantId, id, totalAmount, callback: `${origin()}/bank` }
    const body = JSON.stringify(request)
    const answer = await fetch(bankUrl, { method: 'POST', body, signal: over.signal })
    if (!answer.ok) throw new Error(`the bank answered ${answer.status}`)
    const { status } = (await answer.json()) as BankAnswer
    return status === 'error' ? { status, failure: 'card_declined' } : { status: 'completed' }
  },
  lookup,
}

const checkout = createCheckout(till, {
  ...{ qrBaseUrl: 'http://127.0.0.1', processor, currency: 'EUR', locale: 'en-IE', logger, timeoutSeconds },
  ...{ https: 'off', rateLimits: false, waitSeconds: 0.3 },
})

const listener = toNode({ '/qr': checkout.handler })
const server = createServer(async (request, response) => {
  if (request.url !== '/bank') return listener(request, response)
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  await calledBack(JSON.parse(Buffer.concat(chunks).toString()))
  response.end()
})
const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** The bank says what it has said before. */
async function calledBack({
  status,
  ...key
}: { merchantId: string; id: number } & BankAnswer): Promise<void> {
  try {
    const payment =
      status === 'error'
        ? await till.payments.fail(key, { failure: 'card_declined' })
        : await till.payments.complete(key)
    journal.write({ what: 'resolved', payment })
  } catch (error) {
    if (error instanceof TillError && error.code !== 'conflict') throw error
    journal.write({ what: 'refused', call: 'callback', ...refusalOf(error) })
  }
}

/** As a host does every minute or so, here more often, and in every process. */
async function reconcile(): Promise<void> {
  while (!stopping.aborted) {
    await sleep(500, undefined, { signal: stopping }).catch(() => {})
    try {
      await till.payments.reconcile(lookup, { olderThanSeconds: 1, signal: stopping })
    } catch (error) {
      journal.write({ what: 'refused', call: 'reconcile', ...refusalOf(error) })
    }
  }
}

server.listen(0, '127.0.0.1', () => ready((server.address() as AddressInfo).port))
const reconciling = reconcile()
await once(stopping, 'abort')
const closed = once(server, 'close')
server.close()
server.closeAllConnections()
await closed
await checkout.close()
over.abort()
await reconciling
await till.close()
await storage.close()
end()
