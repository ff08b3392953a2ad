import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answered, createIdempotency } from './idempotency.ts'
import { cancel, confirm, type Intent, newIntent } from './intent.ts'
import { StripeError } from './stripe-error.ts'

/** Something that goes wrong with one request. */
export interface Fault {
  /** The request, `POST /v1/payment_intents/…/confirm`, as it is logged. */
  of: RegExp
  /** `before` nothing is done of it, `after` all is. */
  when: 'before' | 'after'
  /** An error of that status, no answer at all for so long, or a connection that is cut. */
  what: 409 | 429 | 500 | { hangsMs: number } | 'cut'
}

interface Books {
  intents: Map<string, Intent>
  faults: Fault[]
  keys: ReturnType<typeof createIdempotency>
  hostedUrl: string
}

/** A connection is cut: there is no answer. */
class Cut extends Error {}

/** Answers one request to the API. */
export async function answerApi(
  books: Books,
  request: IncomingMessage,
  form: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', books.hostedUrl)
  const called = `${request.method} ${pathname}`
  const key = request.headers['idempotency-key']
  const execute = async (): Promise<Answered & { begun: boolean }> => {
    try {
      return { status: 200, body: JSON.stringify(perform(books, called, form, searchParams)), begun: true }
    } catch (error) {
      if (!(error instanceof StripeError)) throw error
      // A decline is what came of it; what was wrong with the request was never begun.
      return { ...errorAnswer(error), begun: error.status === 402 }
    }
  }
  let answer: Answered & { replayed?: boolean }
  let isCut = false
  try {
    if (!/^Bearer sk_test_/.test(request.headers.authorization ?? '')) {
      throw new StripeError(401, { message: 'Invalid API Key provided' })
    }
    await suffer(books.faults, called, 'before')
    answer = await books.keys.once(key as string | undefined, `${called} ${form}`, async () => {
      const done = await execute()
      try {
        await suffer(books.faults, called, 'after')
      } catch (error) {
        if (error instanceof StripeError) return { ...errorAnswer(error), begun: true }
        if (!(error instanceof Cut)) throw error
        isCut = true
      }
      return done
    })
  } catch (error) {
    if (error instanceof Cut) return void response.destroy()
    if (!(error instanceof StripeError)) throw error
    answer = errorAnswer(error)
  }
  if (isCut) return void response.destroy()
  response.writeHead(answer.status, {
    'Content-Type': 'application/json',
    'Request-Id': `req_${randomBytes(7).toString('hex')}`,
    ...(answer.replayed && { 'Idempotent-Replayed': 'true' }),
    ...(answer.status === 429 && { 'Stripe-Should-Retry': 'true' }),
    // It would be repeated.
    ...(answer.replayed && answer.status >= 500 && { 'Stripe-Should-Retry': 'false' }),
  })
  response.end(answer.body)
}

function perform(
  { intents, hostedUrl }: Books,
  called: string,
  form: URLSearchParams,
  query: URLSearchParams,
): object {
  if (called === 'POST /v1/payment_intents') {
    const made = newIntent(form)
    intents.set(made.id, made)
    return made
  }
  if (called === 'GET /v1/payment_intents/search') return found(intents, query.get('query') ?? '')
  const [, method, id = '', verb] =
    /^(GET|POST) \/v1\/payment_intents\/(\w+)(?:\/(confirm|cancel))?$/.exec(called) ?? []
  const intent = intents.get(id)
  if (method === undefined || intent === undefined) {
    throw new StripeError(404, { code: 'resource_missing', message: `No such payment_intent: '${id}'` })
  }
  if (verb === 'confirm') confirm(intent, form, hostedUrl)
  if (verb === 'cancel') cancel(intent, form)
  return intent
}

function found(intents: Map<string, Intent>, query: string): object {
  const [, name = '', value] = /^metadata\['(\w+)'\]:'([^']*)'$/.exec(query) ?? []
  const data = [...intents.values()].filter(({ metadata }) => metadata[name] === value).reverse()
  return {
    object: 'search_result',
    url: '/v1/payment_intents/search',
    has_more: false,
    next_page: null,
    data,
  }
}

async function suffer(faults: Fault[], called: string, when: Fault['when']): Promise<void> {
  const at = faults.findIndex(fault => fault.when === when && fault.of.test(called))
  const [fault] = at < 0 ? [] : faults.splice(at, 1)
  if (fault === undefined) return
  if (fault.what === 'cut') throw new Cut()
  if (typeof fault.what === 'object') return sleep(fault.what.hangsMs)
  const code = { 409: 'lock_timeout', 429: 'rate_limit', 500: undefined }[fault.what]
  throw new StripeError(fault.what, { message: `a fault: ${fault.what}`, ...(code && { code }) })
}

function errorAnswer({ status, body }: StripeError): Answered {
  return { status, body: JSON.stringify({ error: body }) }
}
