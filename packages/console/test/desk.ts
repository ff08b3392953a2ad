import {
  type ConsoleAction,
  type ConsoleOptions,
  createConsole,
  type Operator,
  PERMISSIONS,
} from '@tillkit/console'
import type { HttpHandler, HttpRequest, HttpResponse } from '@tillkit/http'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, type TillOptions } from '@tillkit/till'
import { expect, onTestFinished, vi } from 'vitest'

/** What a page says by and by is waited for, however busy the machine is. */
export const soon = { timeout: 60_000 }

const ORIGIN = 'https://pay.example.com'
const MOUNT = '/console'

/** Somebody who may do all. */
export const CHIEF: Operator = { name: 'Ada', permissions: PERMISSIONS }

/** A till with a café and a bookshop, and a console of it that takes whoever it is told to. */
export async function openDesk(
  options: Partial<ConsoleOptions> = {},
  tillOptions: Partial<TillOptions> = {},
) {
  const storage = tillOptions.storage ?? memoryStorage()
  const logged: { fields: object; message: string }[] = []
  const note = (fields: object, message: string) => void logged.push({ fields, message })
  const logger = { debug() {}, info() {}, warn: note, error: note }
  const till = createTill({ rememberSeconds: 0, logger, ...tillOptions, storage })
  onTestFinished(() => till.close())
  const cafe = await till.merchants.create({ id: 'cafe', name: 'Corner Café', features: { tips: true } })
  const books = await till.merchants.create({ id: 'books', name: 'Harbour Books' })
  await till.scanCodes.create(cafe.id, { code: 'table-1', reference: 'Table 1' })
  await till.scanCodes.create(books.id, { code: 'shelf' })
  const actions: ConsoleAction[] = []
  const { handler } = createConsole(till, {
    authorize: request => operators.get(request.headers['x-operator'] ?? '') ?? null,
    currency: 'EUR',
    locale: 'en-IE',
    rateLimits: false,
    onAction: action => void actions.push(action),
    ...options,
  })
  const operators = new Map<string, Operator>()
  /** A browser of somebody, who is let in as told. */
  const browse = (operator: Operator = CHIEF) => {
    operators.set(operator.name, operator)
    return browserOf(handler, operator.name)
  }
  return { till, storage, cafe, books, handler, actions, logged, browse }
}

/** What a page is asked for with beside its path. */
export interface Sent extends Partial<HttpRequest> {
  form?: URLSearchParams | undefined
}

/** Sends a request over HTTPS to a handler, with no socket between. */
export function send(
  handler: HttpHandler,
  target: string,
  { form, headers, ...facts }: Sent = {},
): Promise<HttpResponse> {
  const mark = target.indexOf('?')
  return handler({
    method: form ? 'POST' : 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    headers: { host: 'pay.example.com', ...headers },
    secure: true,
    remoteAddress: '203.0.113.7',
    body: async () => Buffer.from(form?.toString() ?? ''),
    ...facts,
  })
}

/** What a browser sends of a form with a file. */
export async function multipart(form: URLSearchParams, file: string | Uint8Array<ArrayBuffer>) {
  const data = new FormData()
  for (const [name, value] of form) if (name !== 'file') data.append(name, value)
  data.append('file', new File([file], 'statement.csv', { type: 'text/csv' }))
  const sent = new Response(data)
  const type = sent.headers.get('content-type') ?? ''
  const body = new Uint8Array(await sent.arrayBuffer())
  return { headers: { 'content-type': type }, body: async () => body }
}

/** A page as an operator sees it. */
interface Seen {
  /** Where, below the mount, with its query. */
  target: string
  status: number
  page: string
  response: HttpResponse
}

/** An operator's browser, as far as it matters here: keeps cookies, follows redirects, sends the forms of the page it is on. */
function browserOf(handler: HttpHandler, name: string) {
  const jar = new Map<string, string>()

  async function go(target: string, sent: Sent = {}): Promise<Seen> {
    const cookie = [...jar].map(pair => pair.join('=')).join('; ')
    const headers = { 'x-operator': name, ...(cookie && { cookie }), ...sent.headers }
    const response = await send(handler, target, { ...sent, headers })
    const [, key, value] = /^([^=]+)=([^;]*)/.exec(response.headers['Set-Cookie'] ?? '') ?? []
    if (key !== undefined && value !== undefined) jar.set(key, value)
    if (response.status === 303) return go(resolve(target, response.headers.Location ?? ''))
    return { target, status: response.status, page: String(response.body), response }
  }

  /** The form of a page that does `action`, filled in with what a browser would send of it. */
  function formOf({ page }: Seen, action: string, nth = 0): URLSearchParams {
    const forms = [...page.matchAll(/<form method="post".*?<\/form>/gs)].map(([text]) => text)
    const text = forms.filter(form => form.includes(`name="action" value="${action}"`))[nth]
    if (text === undefined) throw new Error(`the page has no form that does ${action}`)
    const form = new URLSearchParams()
    for (const [tag] of text.matchAll(/<input [^>]*>/g)) {
      const of = (attribute: string) => unescaped(new RegExp(` ${attribute}="([^"]*)"`).exec(tag)?.[1] ?? '')
      if (/type="checkbox"/.test(tag) && !/ checked/.test(tag)) continue
      form.append(of('name'), of('value'))
    }
    for (const [, select = '', options = ''] of text.matchAll(
      /<select [^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs,
    )) {
      const chosen = /value="([^"]*)" selected/.exec(options) ?? /value="([^"]*)"/.exec(options)
      form.append(select, unescaped(chosen?.[1] ?? ''))
    }
    return form
  }

  const press = (seen: Seen, form: URLSearchParams, sent: Sent = {}) =>
    go(seen.target, {
      form,
      ...sent,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        ...sent.headers,
      },
    })

  return {
    open: go,
    /** Opens a page, and again until nothing on it is being counted any more. */
    counted: (target: string) =>
      vi.waitFor(async () => {
        const seen = await go(target)
        expect(seen.page).not.toMatch(/being counted|counting…/)
        return seen
      }, soon),
    formOf,
    press,
    /** Opens a page, fills in its form and sends it. */
    async submit(
      target: string,
      action: string,
      fields: Record<string, string | string[]> = {},
      nth = 0,
    ): Promise<Seen> {
      const seen = await go(target)
      const form = formOf(seen, action, nth)
      for (const [field, value] of Object.entries(fields)) {
        form.delete(field)
        for (const one of [value].flat()) form.append(field, one)
      }
      return press(seen, form)
    },
  }
}

function resolve(target: string, location: string): string {
  const url = new URL(location, `${ORIGIN}${MOUNT}${target}`)
  if (!url.pathname.startsWith(`${MOUNT}/`)) throw new Error(`${location} leads out of the console`)
  return `${url.pathname.slice(MOUNT.length)}${url.search}`
}

function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
}
