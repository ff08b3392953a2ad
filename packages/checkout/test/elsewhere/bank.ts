import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What the bank keeps of a payment. */
export interface Entry {
  cents: number
  state: 'confirm' | 'approved' | 'declined' | 'under way'
  returnUrl: string
  /** How often it was booked: money that moved. */
  booked: number
}

/** How a bank's customer comes to its page: by an address, or by a form. */
type How = 'redirect' | 'action'

/**
 * A bank that has its customer confirm each payment on a page of its own. It takes a charge once under a name, can be asked, and
 * sends its customer back with words that nobody should believe.
 */
export async function openBank() {
  const book = new Map<string, Entry>()
  const asked: string[] = []
  const bank = {
    book,
    /** The names that were asked about. */
    asked,
    url: '',
    how: 'redirect' as How,
    /** Whether it sends its customers back by a form that is posted. */
    postsBack: false,
    /** Another site, to which it redirects the form that was posted to it. */
    sendsFormTo: null as string | null,
    /** Runs before a question is answered; true where it has dealt with it. */
    onAsked: async (_: string, __: ServerResponse): Promise<boolean> => false,
    /** Runs when a charge is in the book and not answered yet. */
    onCharged: async (): Promise<void> => {},
    /** The only entry. */
    only(): Entry {
      const [entry, ...more] = book.values()
      if (entry === undefined || more.length > 0) throw new Error(`there are ${book.size} entries`)
      return entry
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, room = '', name = ''] =
      (request.url ?? '').split('?')[0]?.split('/').map(decodeURIComponent) ?? []
    let body = ''
    for await (const chunk of request) body += chunk
    const form = new URLSearchParams(body)
    if (room === 'charges' && request.method === 'PUT') {
      if (!book.has(name)) book.set(name, { ...JSON.parse(body), state: 'confirm', booked: 0 })
      await bank.onCharged()
      return reply(response, name)
    }
    if (room === 'charges') {
      asked.push(name)
      if (!(await bank.onAsked(name, response))) reply(response, name)
      return
    }
    if (room === 'form' && bank.sendsFormTo !== null) {
      return void response.writeHead(303, { Location: `${bank.sendsFormTo}${form.get('name')}` }).end()
    }
    if (room === 'form') return page(response, form.get('name') ?? '')
    if (form.has('decision')) return decide(response, name, form.get('decision') ?? '')
    page(response, name)
  }

  function reply(response: ServerResponse, name: string): void {
    const entry = book.get(name)
    response.statusCode = entry ? 200 : 404
    if (entry === undefined || entry.state !== 'confirm')
      return void response.end(JSON.stringify(entry ?? {}))
    const step =
      bank.how === 'redirect'
        ? { url: `${bank.url}/confirm/${encodeURIComponent(name)}?session="<b>"` }
        : { url: `${bank.url}/form`, fields: { name, submit: '"><b>\r\n&amp;' } }
    response.end(JSON.stringify({ state: 'confirm', ...step }))
  }

  function page(response: ServerResponse, name: string): void {
    const way = `/confirm/${encodeURIComponent(name)}`
    const button = (decision: string) => `<button name="decision" value="${decision}">${decision}</button>`
    response.setHeader('Content-Type', 'text/html')
    response.end(
      `<title>Bank</title><h1>Bank</h1><form method="post" action="${way}">${button('approve')}${button('decline')}</form>
      <a href="${book.get(name)?.returnUrl}?status=approved">leave</a>`,
    )
  }

  function decide(response: ServerResponse, name: string, decision: string): void {
    const entry = book.get(name)
    if (entry === undefined) return void response.writeHead(404).end()
    if (entry.state === 'confirm') {
      entry.state = decision === 'approve' ? 'approved' : 'declined'
      if (decision === 'approve') entry.booked++
    }
    // The opposite of what is so, and parameters that a page could take for its own.
    const lie = `status=${entry.state === 'approved' ? 'declined' : 'approved'}&amount=1&id=other`
    const { returnUrl } = entry
    if (bank.postsBack) {
      response.setHeader('Content-Type', 'text/html')
      response.end(`<h1>Done</h1><form method="post" action="${returnUrl}?${lie}">
        <input type="hidden" name="PaRes" value="approved"><button>Back to the shop</button></form>`)
    } else response.writeHead(303, { Location: `${returnUrl}?${lie}` }).end()
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  bank.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return bank
}
