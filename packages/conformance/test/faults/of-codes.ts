import type { HttpHandler } from '@tillkit/http'
import { qrImage } from '@tillkit/qr'
import { PNG } from 'pngjs'
import type { Fault } from './of-forms.ts'
import { changed, misheard, withHeader, withoutHeader } from './plant.ts'

const isPng = (path: string) => path.endsWith('.png')

/** Images of another URL, or of another size, than was asked for. */
function drawn(
  to: (url: string, size: number) => [url: string, size: number],
): (handler: HttpHandler) => HttpHandler {
  return handler => async request => {
    const response = await handler(request)
    const type = /\.(svg|png)$/.exec(request.path)?.[1] as 'svg' | 'png' | undefined
    if (response.status !== 200 || type === undefined || request.method === 'HEAD') return response
    const asked = Number(/scan_code_size=(\d+)/.exec(request.query)?.[1] ?? 125)
    const query = request.query
      .split('&')
      .filter(pair => !pair.startsWith('scan_code_size='))
      .join('&')
    const code = request.path.slice(1, -4)
    const [url, size] = to(`https://pay.example.com/qr/${code}${query && `?${query}`}`, asked)
    const body = await qrImage(url, { type, size })
    return {
      ...response,
      body,
      headers: { ...response.headers, 'Content-Length': String(Buffer.byteLength(body)) },
    }
  }
}

/** A PNG whose pixels are all one to the right. */
function pushed(bytes: Uint8Array): Buffer {
  const from = PNG.sync.read(Buffer.from(bytes))
  const to = new PNG({ width: from.width, height: from.height })
  to.data.fill(255)
  PNG.bitblt(from, to, 0, 0, from.width - 2, from.height, 2, 0)
  return PNG.sync.write(to)
}

/** Faults of images, and of the page behind a code. */
export const ofCodes: Fault[] = [
  ['an image one pixel too large', 'qr-images', { qr: drawn((url, size) => [url, Math.min(size + 1, 500)]) }],
  [
    'an image out of its middle',
    'qr-images',
    {
      qr: changed((response, { path, method }) => {
        if (!isPng(path) || method === 'HEAD' || !(response.body instanceof Uint8Array)) return
        const body = pushed(response.body)
        return { ...response, body, headers: { ...response.headers, 'Content-Length': String(body.length) } }
      }),
    },
  ],
  [
    'an image of a size that was not asked for',
    'qr-images',
    {
      qr: misheard(({ query }) => ({
        query: query.replace(/scan_code_size=(97|333)/, 'scan_code_size=200'),
      })),
    },
  ],
  [
    'the query is encoded anew',
    'qr-queries',
    {
      qr: drawn((url, size) => {
        const [address = '', query] = url.split('?')
        return [query === undefined ? address : `${address}?${new URLSearchParams(query)}`, size]
      }),
    },
  ],
  [
    'the size is in the code',
    'qr-queries',
    {
      qr: drawn((url, size) => [url.includes('?') ? `${url}&scan_code_size=${size}` : url, size]),
    },
  ],
  [
    'the extension is in the code',
    'qr-images',
    { qr: drawn((url, size) => [url.replace(/(\/qr\/\w+)/, '$1.png'), size]) },
  ],
  ['images of another type', 'qr-images', { qr: withHeader('Content-Type', 'image/gif') }],
  ['no ETag', 'qr-caching', { qr: withoutHeader('ETag') }],
  [
    'one ETag for all',
    'qr-caching',
    {
      qr: changed(({ headers }) => {
        if (headers.ETag) headers.ETag = '"1"'
      }),
    },
  ],
  [
    'never 304',
    'qr-caching',
    { qr: misheard(({ headers }) => ({ headers: { ...headers, 'if-none-match': undefined } })) },
  ],
  ['images may not be cached', 'qr-caching', { qr: withHeader('Cache-Control', 'no-store') }],
  [
    'an unknown code is drawn',
    'qr-refusals',
    {
      qr: misheard(({ path }) => ({ path: path.replace('no-such-code-7c1e', 'counter') })),
    },
  ],
  [
    'any size is drawn',
    'qr-refusals',
    { qr: misheard(({ query }) => ({ query: query.replace('scan_code_size=501', 'scan_code_size=500') })) },
  ],
  ['images without CORS', 'allow-origin', { qr: withoutHeader('Access-Control-Allow-Origin') }],
  [
    'an amount that is none is taken',
    'payment-page',
    { qr: misheard(({ query }) => ({ query: query.replace('amount=x', 'amount=1') })) },
  ],
  ['405 of an image without Allow', 'allow', { qr: withoutHeader('Allow') }],
]
