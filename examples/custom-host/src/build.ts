import { createServer, type Server } from 'node:http'
import { TillError } from '@tillkit/domain'
import {
  encodedUrl,
  imageRequest,
  type PaymentParameters,
  parsePaymentUrl,
  QrError,
  qrImage,
} from '@tillkit/qr'
import type { Storage } from '@tillkit/storage'
import { offerPage, resultPage } from './pages.ts'
import { asked, type Charge, pay } from './scan.ts'
import { journaledStorage } from './store/journaled-storage.ts'
import { sendWebhook } from './webhook.ts'

export interface HostOptions {
  /** The journal of the store. */
  file: string
  /** The address that QR codes carry. */
  qrBaseUrl: string
  charge: Charge
  /** The webhook authentication key of each merchant. */
  webhookKeyOf(merchantId: string): string
}

/** A payment page of its own making: Tillkit's QR codes and signatures, a store of its own, and no HTTP API. */
export async function buildHost(options: HostOptions): Promise<{
  server: Server
  store: Storage
  close(): Promise<void>
}> {
  const store = await journaledStorage(options.file)
  /** What goes on though the connection that asked for it may be gone: charges, webhooks. */
  const underWay = new Set<Promise<unknown>>()
  function follow<Work>(work: Promise<Work>): Promise<Work> {
    underWay.add(work)
    work.catch(() => {}).finally(() => underWay.delete(work))
    return work
  }

  async function answer(method: string, target: string): Promise<Answer> {
    const [path = '', query = ''] = target.split(/\?(.*)/s)
    if (!path.startsWith('/qr/')) return text(404, 'Not found')
    return /\.(svg|png)$/.test(path)
      ? image(options.qrBaseUrl, path, query)
      : method === 'POST'
        ? paid(target)
        : offer(parsePaymentUrl(target))
  }

  /** Nobody is shown an order that could not be paid. */
  async function offer(scan: PaymentParameters): Promise<Answer> {
    asked(scan)
    const found = await store.scanCodes.find(scan.scanCode)
    return found === null ? NO_SUCH_CODE : html(200, offerPage(scan))
  }

  async function paid(target: string): Promise<Answer> {
    const payment = await pay(store, parsePaymentUrl(target), options.charge)
    if (payment === null) return NO_SUCH_CODE
    const merchant = await store.merchants.get(payment.merchantId)
    if (merchant?.webhookUrl) {
      void follow(sendWebhook(merchant.webhookUrl, options.webhookKeyOf(merchant.id), payment))
    }
    return html(payment.status === 'completed' ? 200 : 402, resultPage(payment))
  }

  const server = createServer(async (request, response) => {
    try {
      const { status, type, body } = await follow(answer(request.method ?? '', request.url ?? '/'))
      response.writeHead(status, { 'Content-Type': type }).end(body)
    } catch (error) {
      const shown = error instanceof QrError || error instanceof TillError
      if (!shown) console.error(error)
      response.writeHead(shown ? 400 : 500).end(shown ? error.message : 'Something went wrong')
    }
  })

  return {
    server,
    store,
    async close() {
      // A connection that a client keeps open would be waited for.
      const idle = setInterval(() => server.closeIdleConnections(), 50)
      await new Promise(resolve => server.close(resolve))
      clearInterval(idle)
      while (underWay.size > 0) await Promise.allSettled(underWay)
      await store.close()
    },
  }
}

interface Answer {
  status: number
  type: string
  body: string | Uint8Array
}

const text = (status: number, body: string): Answer => ({ status, type: 'text/plain; charset=utf-8', body })
const html = (status: number, body: string): Answer => ({ status, type: 'text/html; charset=utf-8', body })
const NO_SUCH_CODE = text(404, 'There is no such code')

async function image(qrBaseUrl: string, path: string, rawQuery: string): Promise<Answer> {
  const { scanCode, type, size, query } = imageRequest(path, rawQuery)
  const body = await qrImage(encodedUrl({ qrBaseUrl, scanCode, query }), { type, size })
  return { status: 200, type: type === 'png' ? 'image/png' : 'image/svg+xml', body }
}
