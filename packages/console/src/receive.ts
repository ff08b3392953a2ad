import { type Content, type HttpRequest, type HttpResponse, html, type RequestMessage } from '@tillkit/http'
import type { Journal } from './audit/journal.ts'
import type { Counting } from './counting/counting.ts'
import type { DayCounter } from './days/day-counter.ts'
import { formKey } from './guard/form-key.ts'
import type { Once } from './guard/once.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Answers } from './look/answers.ts'
import type { WriteDocument } from './look/document.ts'
import type { Messages } from './messages.ts'
import { homeOf, linksFor, merchantLinks } from './navigation.ts'
import type { Visitor } from './operator/operator.ts'
import type { Settings } from './options.ts'
import { perform } from './perform.ts'
import { linksFrom } from './routing/addresses.ts'
import type { Found } from './routing/find-page.ts'
import type { Described, Shown } from './routing/page.ts'
import type { MerchantVisit, Visit } from './routing/visit.ts'
import type { Uploads } from './settlements/uploads.ts'
import type { Enquiry } from './unresolved/enquiry.ts'

/** What one console is made of. */
export interface Parts {
  settings: Settings
  find: (path: string) => Found | null
  document: WriteDocument
  answers: Answers
  messages: Messages
  journal: Journal
  once: Once
  jobs: Jobs
  enquiry: Enquiry | null
  uploads: Uploads
  counting: Counting
  days: DayCounter
}

/** Answers somebody who is known: a page, or what came of one of its forms. */
export async function receive(
  request: HttpRequest,
  visitor: Visitor,
  { id: requestId, message }: { id: string; message?: RequestMessage | undefined },
  parts: Parts,
): Promise<HttpResponse> {
  const { settings, document, answers, messages, journal, once, jobs, enquiry, uploads, counting, days } =
    parts
  const { path } = request
  const to = linksFrom(path)
  if (path === '/home') return answers.redirect(to(homeOf(visitor)))

  const found = parts.find(path)
  if (found === null || !visitor.may(found.page.needs)) return messages.unknown(path)
  const { merchantId, route } = found
  if (merchantId !== null && !visitor.sees(merchantId)) return messages.unknown(path)
  if ('whole' in found.page && found.page.whole && visitor.merchants !== null) return messages.unknown(path)
  const merchant = merchantId === null ? null : await settings.till.merchants.get(merchantId)
  if (merchantId !== null && merchant === null) return messages.unknown(path)
  if (message) Object.assign(message, { route, merchantId: merchant?.id })

  const key = formKey(request, visitor.name)
  const cookie: Record<string, string> = key.cookie === null ? {} : { 'Set-Cookie': key.cookie }
  const visit: Visit = {
    ...{
      till: settings.till,
      settings,
      request,
      visitor,
      path,
      to,
      journal,
      jobs,
      enquiry,
      uploads,
      counting,
      days,
    },
    query: new URLSearchParams(request.query),
    parameter: found.parameter,
    redirect: (target, query) => answers.redirect(to(target, query)),
    form: { token: key.token, once: once.make },
    again: null,
  }
  // A page of a merchant is shown to visits that have one.
  const page = found.page as Described<Visit>
  const whole: Visit = merchant === null ? visit : ({ ...visit, merchant } as MerchantVisit)

  const answer = (shown: Shown, status = shown.status ?? 200): HttpResponse => {
    const sheet = {
      ...{ title: shown.title, live: shown.live, to, operator: visitor.name },
      content: html`${notice(page, whole.query)}${shown.content}`,
      links: linksFor(visitor, path, to),
      merchant: merchant
        ? { name: merchant.name, links: merchantLinks(visitor, merchant.id, path, to) }
        : undefined,
    }
    return answers.page(status, document(sheet), cookie)
  }

  const show = async (again: Visit['again'], status?: number): Promise<HttpResponse> => {
    const shown = await page.show({ ...whole, again })
    if (shown === null) return messages.unknown(path)
    return 'headers' in shown ? shown : answer(shown, status)
  }

  if (request.method !== 'POST') return show(null)
  const performing = { journal, once, messages, key, requestId }
  const performed = await perform(whole, page.actions, merchantId, performing)
  if ('answer' in performed) return performed.answer
  if ('again' in performed) return show(performed.again, performed.status)
  const { done, name } = performed
  if ('shown' in done) return answer(done.shown)
  const [target = path, query = ''] = (done.to ?? `${path}?${request.query}`).split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('done', name)
  return answers.redirect(`${to(target)}?${parameters}`)
}

/** What was done, after the way back from it. Only what the page itself has words for is ever said. */
function notice({ actions = {}, says = {} }: Described<Visit>, query: URLSearchParams): Content {
  const name = query.get('done') ?? ''
  const said = Object.hasOwn(actions, name) ? actions[name]?.says : Object.hasOwn(says, name) && says[name]
  return said && html`<p class="notice good" role="status">${said}</p>`
}
