import { type Brand, type HttpResponse, logoSource, pageGuards } from '@tillkit/http'

/** Answers with the headers that guard all pages. */
export interface Answers {
  /** A document. */
  page(status: number, document: string, headers?: Record<string, string>): HttpResponse
  /** To another page: `location` is relative, and so never leaves the host. */
  redirect(location: string, headers?: Record<string, string>): HttpResponse
}

export function createAnswers(brand: Brand): Answers {
  const images = logoSource(brand)
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    // The empty icon of a page is one too.
    ['img-src data:', images === 'data:' ? '' : images].join(' ').trim(),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  const guards = pageGuards(policy)
  return {
    page: (status, document, headers) => ({
      status,
      headers: { ...guards, 'Content-Type': 'text/html; charset=utf-8', ...headers },
      body: document,
    }),
    redirect: (location, headers) => ({
      status: 303,
      headers: { ...guards, ...headers, Location: location },
      body: null,
    }),
  }
}
