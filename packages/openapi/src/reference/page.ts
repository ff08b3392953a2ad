import { hash } from 'node:crypto'
import type { Json, JsonObject, OpenApiDocument } from '../document.ts'

const STYLE =
  'body{margin:0}html.dark-mode{background:#1c2022}noscript{font:1rem/1.5 system-ui;padding:1rem;display:block}' +
  // The document has no links; an empty column for them sticks out where the window is narrow.
  '.response-col_links{display:none}'

/**
 * The page cannot know whether it was asked for with a slash at its end, and neither can the handler; where it is in the
 * browser says so.
 */
const SCRIPT = `
const base = location.pathname.replace(/\\/*$/, '/')
const dark = matchMedia('(prefers-color-scheme: dark)')
const colours = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', colours)
colours()
const add = (name, properties) => document.head.append(Object.assign(document.createElement(name), properties))
add('link', { rel: 'stylesheet', href: base + 'renderer.css' })
add('script', {
  src: base + 'renderer.js',
  onload: () => SwaggerUIBundle({
    url: base + 'openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null, queryConfigEnabled: false,
  }),
})
`

const sha256 = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`

/** The page, which loads the renderer and the document from beside it. */
export function pageOf({ info }: OpenApiDocument): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="data:,">' +
    `<title>${escaped(String(info.title))}</title><style>${STYLE}</style></head><body>` +
    '<noscript>This page needs JavaScript. The document that it shows is openapi.json, beside it.</noscript>' +
    `<main id="reference"></main><script>${SCRIPT}</script></body></html>`
  )
}

/** What the page may load, and where it may send a request that is tried: to the servers of the document alone. */
export function contentSecurityPolicy({ servers, paths }: OpenApiDocument): string {
  const places = [
    ...servers,
    ...Object.values(paths).flatMap(({ servers }) => (servers ?? []) as JsonObject[]),
  ]
  const origins = [...new Set(places.map(({ url }) => originOf(url)).filter(origin => origin !== null))]
  return [
    "default-src 'none'",
    `script-src 'self' ${sha256(SCRIPT)}`,
    `style-src 'self' ${sha256(STYLE)}`,
    "img-src 'self' data: blob:",
    ["connect-src 'self'", ...origins].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function originOf(url: Json | undefined): string | null {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : null
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
