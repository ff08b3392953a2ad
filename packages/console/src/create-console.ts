import {
  asAsked,
  checkTarget,
  clientNetwork,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  httpsGuard,
  limit,
  published,
  type RequestMessage,
  requestId,
  stampRequestId,
  stampStanding,
  tooManyRequests,
  UNKNOWN_NETWORK,
} from '@tillkit/http'
import type { Till } from '@tillkit/till'
import { createJournal } from './audit/journal.ts'
import { createCounting } from './counting/counting.ts'
import { createDayCounter } from './days/day-counter.ts'
import { explain } from './explain.ts'
import { createOnce } from './guard/once.ts'
import { createJobs } from './jobs/jobs.ts'
import { landing } from './landing.ts'
import { createAnswers } from './look/answers.ts'
import { createAssets } from './look/assets.ts'
import { createDocuments } from './look/document.ts'
import { createMessages } from './messages.ts'
import { visitorOf } from './operator/operator.ts'
import { type ConsoleOptions, checkOptions } from './options.ts'
import { pages } from './pages/pages.ts'
import { receive } from './receive.ts'
import { pageFinder } from './routing/find-page.ts'
import { createUploads } from './settlements/uploads.ts'
import { createEnquiry } from './unresolved/enquiry.ts'

/** What a provider's people look at. */
export interface Console {
  /** To be mounted at any path of an existing server. */
  handler: HttpHandler
}

const PER_ADDRESS = { points: 50, duration: 1 }

/**
 * Makes the console of a till. Throws `TillError` `invalid_input` naming the option that is wrong: `authorize` where there is none.
 */
export function createConsole(till: Till, options: ConsoleOptions): Console {
  const settings = checkOptions(till, options)
  const { https, logger, rateLimits, brand } = settings
  const insecure = httpsGuard(https, logger)
  const perAddress =
    rateLimits === false ? null : limit('address', rateLimits?.perAddress, PER_ADDRESS, logger)
  const assets = createAssets(brand)
  const document = createDocuments(brand, assets)
  const answers = createAnswers(brand)
  const messages = createMessages(settings, document, answers)
  const parts = {
    ...{ settings, document, answers, messages },
    find: pageFinder(pages),
    journal: createJournal(settings.onAction, logger),
    once: createOnce(),
    jobs: createJobs(logger),
    enquiry: createEnquiry(till, settings.lookup),
    uploads: createUploads(till, logger),
    counting: createCounting(logger),
    days: createDayCounter(till, settings.timeZone, logger),
  }

  /** In this order, so that a flood costs the host's login nothing. */
  async function answer(request: HttpRequest, id: string, message?: RequestMessage): Promise<HttpResponse> {
    const { path } = request
    if (insecure(request))
      return messages.say(path, 403, 'HTTPS is required', 'The address must start with https.')
    const standing =
      (await perAddress?.count(clientNetwork(request.remoteAddress) ?? UNKNOWN_NETWORK)) ?? null
    if (standing && !standing.allowed) {
      const { headers } = tooManyRequests(standing)
      const { 'Content-Length': _, 'Content-Type': __, ...own } = headers
      return messages.say(path, 429, 'Too many requests', 'Wait a moment, then try again.', own)
    }
    const response = await find(request, id, message)
    if (standing) stampStanding(standing, response)
    return response
  }

  async function find(request: HttpRequest, id: string, message?: RequestMessage): Promise<HttpResponse> {
    checkTarget(request)
    if (!['GET', 'HEAD', 'POST'].includes(request.method)) {
      return messages.say(request.path, 405, 'Not here', 'That cannot be done here.', {
        Allow: 'GET, HEAD, POST',
      })
    }
    const file = assets.answer(request)
    if (file !== null) return file
    if (request.path === '/') return landing(request, answers)
    const visitor = visitorOf(await settings.authorize(request), settings.permissions)
    return visitor === null
      ? messages.denied(request.path)
      : receive(request, visitor, { id, message }, parts)
  }

  const handler = published('console', async (request, message) => {
    const id = requestId(request)
    if (message) message.requestId = id
    let response: HttpResponse
    try {
      response = await answer(request, id, message)
    } catch (error) {
      response = explain(error, request, id, messages, logger)
    }
    stampRequestId(id, response)
    return asAsked(request, response)
  })

  return { handler }
}
