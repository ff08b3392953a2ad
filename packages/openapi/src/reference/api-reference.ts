import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { validate } from '@tillkit/domain'
import {
  asAsked,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  maskedError,
  methodNotAllowed,
  notFound,
  requestId,
  stampRequestId,
} from '@tillkit/http'
import { z } from 'zod'
import type { OpenApiDocument } from '../document.ts'
import { keptFile } from './kept-file.ts'
import { contentSecurityPolicy, pageOf } from './page.ts'

/** What `apiReference` takes. */
export interface ApiReferenceOptions {
  /** What `openApiDocument` returns, changed or not. */
  document: OpenApiDocument
}

const isDocument = (value: unknown): value is OpenApiDocument => {
  const { openapi, info, servers, paths } = (value ?? {}) as Partial<OpenApiDocument>
  return String(openapi).startsWith('3.') && Boolean(info?.title) && Array.isArray(servers) && Boolean(paths)
}

const apiReferenceOptions = z.strictObject({
  document: z.custom<OpenApiDocument>(isDocument, 'must be what openApiDocument returns'),
})

/**
 * A page to read and try the API on, and the document as `openapi.json` beside it: mounted wherever a host likes, without
 * authentication. It loads nothing from elsewhere. Throws `TillError` `invalid_input` naming the option that is wrong.
 */
export function apiReference(options: ApiReferenceOptions): HttpHandler {
  const { document } = validate(apiReferenceOptions, options, 'the options of apiReference')
  const json = JSON.stringify(document)
  const page = pageOf(document)
  const files = new Map([
    [
      '/',
      keptFile({
        mediaType: 'text/html; charset=utf-8',
        cacheControl: 'no-cache',
        headers: {
          'Content-Security-Policy': contentSecurityPolicy(document),
          'Referrer-Policy': 'no-referrer',
        },
        read: async () => page,
      }),
    ],
    [
      '/openapi.json',
      keptFile({
        mediaType: 'application/json; charset=utf-8',
        cacheControl: 'no-cache',
        headers: { 'Access-Control-Allow-Origin': '*' },
        read: async () => json,
      }),
    ],
    ['/renderer.js', rendererFile('swagger-ui-bundle.js', 'text/javascript; charset=utf-8')],
    ['/renderer.css', rendererFile('swagger-ui.css', 'text/css; charset=utf-8')],
  ])

  async function answer(request: HttpRequest): Promise<HttpResponse> {
    const file = files.get(request.path)
    if (file === undefined) return notFound()
    if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed('GET, HEAD')
    return file(request)
  }

  return async request => {
    const response = await answer(request).catch(error => maskedError(error, request))
    stampRequestId(requestId(request), response)
    return asAsked(request, response)
  }
}

function rendererFile(name: string, mediaType: string) {
  return keptFile({
    mediaType,
    cacheControl: 'public, max-age=86400',
    // Where it is, is asked when it is needed: a bundle of a host has no such place until then.
    read: () => readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`)),
  })
}
