import type { HttpResponse } from '@tillkit/http'
import { type Brand, logoSource } from './brand.ts'

/** Answers with the headers that guard all pages. */
export interface Answers {
  /** A document. */
  page(status: number, document: string, headers?: Record<string, string>): HttpResponse
  /** To another page: `location` is relative, and so never leaves the host. */
  redirect(location: string, headers?: Record<string, string>): HttpResponse
}

export function createAnswers(brand: Brand): Answers {
  const images = logoSource(brand)
  const guards = {
    'Content-Security-Policy': [
      "default-src 'none'",
      "style-src 'self'",
      "script-src 'self'",
      "connect-src 'self'",
      // The empty icon of a page is one too.
      ['img-src data:', images === 'data:' ? '' : images].join(' ').trim(),
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    // Other sites learn nothing; to its own the browser still says where a form comes from.
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex',
  }
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
