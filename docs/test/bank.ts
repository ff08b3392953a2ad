import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What becomes of a charge, by the cents of its amount. */
const ANSWERS = new Map([
  [66, { state: 'declined', reason: 'no funds' }],
  [77, { state: 'under way' }],
])

/** Charges of this many cents are booked when their customer has confirmed them on the bank's page. */
const CONFIRMED = 55
/** Charges of this many cents are booked, and then nobody is told. */
const MUTE = 88
/** Charges of this many cents are never heard of. */
const DEAF = 99

/** A bank that charges each name once, and can be asked for it. */
export async function openBank() {
  const booked = new Map<string, { state: string; reason?: string; url?: string }>()
  const returns = new Map<string, string>()
  const charges: string[] = []
  const server = createServer(async (request, response) => {
    const name = request.url ?? ''
    let body = ''
    for await (const chunk of request) body += chunk
    if (name.startsWith('/confirm')) return void confirm(name.slice('/confirm'.length), response)
    const cents = request.method === 'PUT' ? JSON.parse(body).cents % 100 : undefined
    if (cents === CONFIRMED && !booked.has(name)) {
      booked.set(name, { state: 'to be confirmed', url: `http://${request.headers.host}/confirm${name}` })
      returns.set(name, JSON.parse(body).returnUrl)
    }
    if (cents === DEAF) return void response.writeHead(503).end()
    if (cents !== undefined && !booked.has(name)) {
      charges.push(name)
      booked.set(name, ANSWERS.get(cents) ?? { state: 'approved' })
    }
    if (cents === MUTE) return void response.destroy()
    const charge = booked.get(name)
    response.statusCode = charge ? 200 : 404
    response.end(JSON.stringify(charge ?? {}))
  }).listen(0, '127.0.0.1')

  /** The customer says yes, whenever the page is opened, and is sent back. */
  function confirm(name: string, response: ServerResponse): void {
    if (booked.get(name)?.state === 'to be confirmed') {
      charges.push(name)
      booked.set(name, { state: 'approved' })
    }
    response.writeHead(303, { Location: `${returns.get(name)}?state=declined` }).end()
  }

  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { charges, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
