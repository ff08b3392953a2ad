import { type HttpRequest, type HttpResponse, html } from '@tillkit/http'
import type { Answers } from './look/answers.ts'

/**
 * The path of the mount itself may have been asked for with a slash at its end or without: nobody tells the handler, and a
 * relative link would lead to two different places. A page that opens its own address again, by a query alone, gets to know
 * it: the browser says where it comes from.
 */
export function landing(request: HttpRequest, answers: Answers): HttpResponse {
  if (request.query === 'open') return answers.redirect(homeFrom(request.headers))
  const document = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Console</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><meta http-equiv="refresh" content="0;url=?open"></head>
<body><main><p><a href="?open">Open the console</a></p></main></body></html>
`
  return answers.page(200, document.text)
}

function homeFrom({ referer = '', host }: HttpRequest['headers']): string {
  const url = URL.canParse(referer) ? new URL(referer) : null
  if (url === null || url.host !== host || url.pathname.endsWith('/')) return './home'
  return `./${url.pathname.slice(url.pathname.lastIndexOf('/') + 1)}/home`
}
