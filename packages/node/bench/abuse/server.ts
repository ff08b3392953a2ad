import '../report-cpu.ts'
import { createServer } from 'node:http'
import { createCheckout } from '@tillkit/checkout'
import {
  type HttpHandler,
  type HttpRequest,
  json,
  merchantApi,
  qrEndpoints,
  RequestError,
  readForm,
} from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'

/** All that strangers can reach, without limits on requests, so that each is worked on; `/limited` has the default ones. */
const [file = '', port] = process.argv.slice(2)
const till = createTill({ storage: sqliteStorage({ file }), logger: false })
const qrBaseUrl = `http://127.0.0.1:${port}`
const open = { https: 'off', rateLimits: false } as const
const checkout = createCheckout(till, {
  ...open,
  qrBaseUrl,
  currency: 'EUR',
  locale: 'en-IE',
  processor: { charge: () => ({ status: 'completed' }) },
})

/** A handler as a host would write one. */
const answering =
  (read: (request: HttpRequest) => Promise<number>): HttpHandler =>
  async request => {
    try {
      return json(200, await read(request))
    } catch (error) {
      return json(error instanceof RequestError ? error.status : 500, 'refused')
    }
  }

/** As many as there may be. */
const paymentKeys = Array.from({ length: 10 }, (_, n) => `k${n}`.padEnd(32, 'x'))

const listener = toNode(
  {
    '/v1': merchantApi(till, open),
    '/limited': merchantApi(till, { https: 'off' }),
    '/images': qrEndpoints(till, { ...open, qrBaseUrl }),
    '/signed': qrEndpoints(till, { ...open, qrBaseUrl, paymentKeys }),
    '/qr': checkout.handler,
    '/form': answering(async request => (await readForm(request)).size),
    '/body': answering(async request => (await request.body()).length),
  },
  { trustProxy: 'loopback', logger: false },
)
createServer(listener).listen(Number(port), '127.0.0.1', () => process.send?.('ready'))
