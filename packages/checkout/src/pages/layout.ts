import type { Brand } from '@tillkit/http'
import { type Content, html, trusted } from './html.ts'

/** What all pages have in common. */
export interface Look {
  brand: Brand
  style: string
  language: string
}

/** What differs from page to page. */
export interface Layout {
  title: string
  /** What the page shows, for its script: `pay`, `pending`, `waited`, `step`, `completed`, `error`, `taken`, `message`. */
  state: string
  /** The address of the script, where the page has one. */
  script?: string
  /** Whether it is a file that the customer keeps: nothing in it is fetched from elsewhere. */
  kept?: boolean
  /** Reloads the page every so many seconds where there is no JavaScript. */
  refreshSeconds?: number
}

const RIGHT_TO_LEFT = /^(?:ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)\b/i

/** A whole document. */
export function document({ brand, style, language }: Look, page: Layout, content: Content): string {
  const logo = page.kept && !brand.logo?.startsWith('data:') ? undefined : brand.logo
  const head = logo ? html`<img src="${logo}" alt="${brand.name ?? ''}">` : brand.name && html`${brand.name}`
  const refresh =
    page.refreshSeconds &&
    html`<noscript><meta http-equiv="refresh" content="${page.refreshSeconds}"></noscript>`
  return html`<!doctype html>
<html lang="${language}" dir="${RIGHT_TO_LEFT.test(language) ? 'rtl' : 'ltr'}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.title}</title>${refresh}<style>${trusted(style)}</style>
${page.script && html`<script src="${page.script}" defer></script>`}</head>
<body>${head ? html`<header class="brand">${head}</header>` : html`<div class="brand"></div>`}
<main data-state="${page.state}">${content}</main></body></html>
`.text
}
