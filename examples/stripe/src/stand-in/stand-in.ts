import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { answerApi, type Fault } from './api.ts'
import { createIdempotency } from './idempotency.ts'
import { authorize, type Intent } from './intent.ts'

/** A server that answers as Stripe's documentation says of PaymentIntents, and has a page for customers to confirm on. */
export interface StandIn {
  /** The intents that were made, by id. */
  intents: Map<string, Intent>
  /** What goes wrong next: each request takes the first that is for it. */
  faults: Fault[]
  /** What was asked, `POST /v1/payment_intents` and so on, retries included. */
  requests: string[]
  /** Stripe's package, set up to ask here. */
  client(config?: Stripe.StripeConfig): Stripe
  /** A day goes by: idempotency keys are forgotten. */
  forgetKeys(): void
  close(): Promise<void>
}

/** Opens a stand-in on a free port of this machine. */
export async function openStandIn(): Promise<StandIn> {
  const intents = new Map<string, Intent>()
  const faults: Fault[] = []
  const requests: string[] = []
  const keys = createIdempotency()
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const hostedUrl = `http://127.0.0.1:${port}`

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += chunk
    const form = new URLSearchParams(body)
    const { pathname } = new URL(request.url ?? '', hostedUrl)
    if (!pathname.startsWith('/authorize/')) {
      requests.push(`${request.method} ${pathname}`)
      return answerApi({ intents, faults, keys, hostedUrl }, request, form, response)
    }
    const intent = intents.get(pathname.slice('/authorize/'.length))
    if (!intent?.next_action) return void response.writeHead(404).end('There is nothing to confirm.')
    if (request.method === 'POST') return sendBack(intent, form.get('decision') === 'complete', response)
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(hostedPage(intent))
  }

  return {
    intents,
    faults,
    requests,
    client: config =>
      new Stripe('sk_test_stand_in', {
        ...{ protocol: 'http', host: '127.0.0.1', port, telemetry: false, maxNetworkRetries: 2 },
        ...config,
      }),
    forgetKeys: () => keys.forget(),
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function sendBack(intent: Intent, agreed: boolean, response: ServerResponse): void {
  const back = new URL(authorize(intent, agreed))
  back.searchParams.set('payment_intent', intent.id)
  back.searchParams.set('payment_intent_client_secret', intent.client_secret)
  back.searchParams.set('redirect_status', intent.status === 'succeeded' ? 'succeeded' : 'failed')
  response.writeHead(303, { Location: back.href }).end()
}

function hostedPage({ amount, currency }: Intent): string {
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Confirm</title>
<body style="font:1.125rem/1.5 system-ui;max-width:26rem;margin:3rem auto;padding:0 1rem"><h1>Test payment page</h1>
<p>${amount / 100} ${currency.toUpperCase()}. No money moves.<form method="post">
<button name="decision" value="complete">Complete authentication</button>
<button name="decision" value="fail">Fail authentication</button></form></html>`
}
