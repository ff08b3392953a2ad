import { type Brand, type Content, html } from '@tillkit/http'
import type { Assets } from './assets.ts'

/** One entry of a row of links at the head of a page. */
export interface Link {
  /** What it is called. */
  text: string
  /** Where it leads. */
  href: string
  /** Whether this is where one is. */
  here: boolean
}

/** What a document is made of. */
interface Sheet {
  /** The heading. */
  title: string
  /** Below it. */
  content: Content
  /** An address below the mount, as a link from here. */
  to: (path: string) => string
  /** Who is signed in. */
  operator?: string
  /** The pages of all. */
  links?: readonly Link[]
  /** Whose pages they are, and which there are. */
  merchant?: { name: string; links: readonly Link[] } | undefined
  /** After how many seconds what is live is fetched again. */
  live?: number | undefined
}

/** Writes documents in the host's brand. */
export type WriteDocument = (sheet: Sheet) => string

export function createDocuments(brand: Brand, assets: Pick<Assets, 'style' | 'script'>): WriteDocument {
  const name = brand.name ?? 'Console'
  const head = brand.logo ? html`<img src="${brand.logo}" alt="${name}">` : name
  return ({ title, content, to, operator, links = [], merchant, live }) =>
    html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><link rel="icon" href="data:,">
<title>${title} – ${merchant && `${merchant.name} – `}${name}</title>
<link rel="stylesheet" href="${to(assets.style)}"><script src="${to(assets.script)}" defer></script></head>
<body${live !== undefined && html` data-live="${live}"`}><a class="skip" href="#content">To the content</a>
<header class="top"><b>${head}</b>${operator !== undefined && html`<span>${operator}</span>`}</header>
${links.length > 0 && navigation('Console', links)}
${merchant && navigation(merchant.name, merchant.links, html`<span class="whose">${merchant.name}</span>`)}
<main id="content" tabindex="-1"><h1>${title}</h1>
${content}</main></body></html>
`.text
}

function navigation(name: string, links: readonly Link[], before?: Content): Content {
  return html`<nav aria-label="${name}">${before}<ul>${links.map(
    ({ text, href, here }) =>
      html`<li><a href="${href}"${here && html` aria-current="page"`}>${text}</a></li>`,
  )}</ul></nav>`
}
