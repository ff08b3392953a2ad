import { createHash } from 'node:crypto'
import { type HttpResponse, logoSource, pageGuards } from '@tillkit/http'
import type { Checked } from './options.ts'
import type { Content } from './pages/html.ts'
import { document, type Layout } from './pages/layout.ts'
import { styleSheet } from './pages/style.ts'

/** Makes responses of pages: a document in the host's brand, or a redirect, with the headers that guard both. */
export interface PageResponses {
  /** `postsTo` is the one origin that the page's form is sent to, where that is not its own. */
  page(status: number, layout: Layout, content: Content, postsTo?: string): HttpResponse
  /** `location` is a path below the scan code's, relative: it never leaves the host. */
  redirect(location: string): HttpResponse
}

export function pageResponses({
  brand,
  texts,
  policy,
}: Pick<Checked, 'brand' | 'texts' | 'policy'>): PageResponses {
  const style = styleSheet(brand)
  const look = { brand, style, language: texts.language }
  const policyFor = (postsTo: string) =>
    contentSecurityPolicy({ style, logo: logoSource(brand), postsTo }, policy)
  const guards = pageGuards(policyFor("'self'"))
  return {
    page: (status, layout, content, postsTo) => ({
      status,
      headers: {
        ...guards,
        ...(postsTo !== undefined && { 'Content-Security-Policy': policyFor(postsTo) }),
        'Content-Type': 'text/html; charset=utf-8',
      },
      body: document(look, layout, content),
    }),
    redirect: location => ({ status: 303, headers: { ...guards, Location: location }, body: null }),
  }
}

function contentSecurityPolicy(
  { style, logo, postsTo }: { style: string; logo: string; postsTo: string },
  more: Record<string, string>,
): string {
  const hash = createHash('sha256').update(style).digest('base64')
  const directives: Record<string, string> = {
    'default-src': "'none'",
    'style-src': `'sha256-${hash}'`,
    'script-src': "'self'",
    'connect-src': "'self'",
    'img-src': logo,
    'form-action': postsTo,
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  }
  for (const [directive, sources] of Object.entries(more)) {
    const own = directives[directive]
    directives[directive] = own && own !== "'none'" ? `${own} ${sources}` : sources
  }
  return Object.entries(directives)
    .filter(([, sources]) => sources !== '')
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')
}
