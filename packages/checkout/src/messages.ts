import type { HttpResponse, Standing } from '@tillkit/http'
import { tooManyRequests } from '@tillkit/http'
import type { PageResponses } from './page-response.ts'
import { messagePage } from './pages/message-page.ts'
import type { Texts } from './pages/texts.ts'

/** The pages that say why there is nothing else to show. */
export interface Messages {
  /** For an unknown code, one that the host does not take payments on, and any other path: all look alike. */
  unknown(): HttpResponse
  /** For a URL with parameters that no payment could be started with. `detail` says which. */
  wrongLink(detail: string): HttpResponse
  wrongMethod(allow: string): HttpResponse
  insecure(): HttpResponse
  tooMany(standing: Standing): HttpResponse
  fault(): HttpResponse
}

export function messages({ page }: PageResponses, texts: Texts): Messages {
  const say = (status: number, heading: string, more: string, detail?: string): HttpResponse =>
    page(
      status,
      { title: heading, state: 'message' },
      messagePage({ status: 'error', heading, more, detail }),
    )

  const withHeaders = (response: HttpResponse, headers: Record<string, string>): HttpResponse => ({
    ...response,
    headers: { ...headers, ...response.headers },
  })

  return {
    unknown: () => say(404, texts.unknown, texts.unknownMore),
    wrongLink: detail => say(400, texts.wrongLink, texts.unknownMore, detail),
    wrongMethod: allow => withHeaders(say(405, texts.fault, texts.unknownMore), { Allow: allow }),
    insecure: () => say(403, texts.fault, texts.insecure),
    fault: () => say(500, texts.fault, texts.faultMore),

    tooMany(standing) {
      const { status, headers } = tooManyRequests(standing)
      const { 'Content-Length': _, ...own } = headers
      return withHeaders(say(status, texts.tooMany, texts.tooManyMore), own)
    },
  }
}
