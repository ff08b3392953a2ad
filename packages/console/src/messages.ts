import { type Content, type HttpResponse, html } from '@tillkit/http'
import type { Answers } from './look/answers.ts'
import type { WriteDocument } from './look/document.ts'
import type { Settings } from './options.ts'
import { linksFrom } from './routing/addresses.ts'

/** The pages that say why there is nothing else to show. */
export interface Messages {
  /** For whom `authorize` does not know. */
  denied(path: string): HttpResponse
  /** For what is not there, or not for who asks: both look alike. */
  unknown(path: string): HttpResponse
  /** Any other: a status, a heading, and what to do. */
  say(
    path: string,
    status: number,
    title: string,
    more: Content,
    headers?: Record<string, string>,
  ): HttpResponse
}

export function createMessages(
  { loginUrl, challenge }: Pick<Settings, 'loginUrl' | 'challenge'>,
  document: WriteDocument,
  answers: Answers,
): Messages {
  const say: Messages['say'] = (path, status, title, more, headers) =>
    answers.page(status, document({ title, content: html`<p>${more}</p>`, to: linksFrom(path) }), headers)

  return {
    say,
    unknown: path => say(path, 404, 'Not found', 'There is nothing here, or nothing that you may see.'),
    denied(path) {
      const more = loginUrl
        ? html`<a href="${loginUrl}">Sign in</a>, then open this page again.`
        : 'Sign in where you usually do, then open this page again.'
      const headers = challenge === undefined ? undefined : { 'WWW-Authenticate': challenge }
      return say(path, challenge === undefined ? 403 : 401, 'Not signed in', more, headers)
    },
  }
}
