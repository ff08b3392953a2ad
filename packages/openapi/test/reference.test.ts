import { apiReference } from '@tillkit/openapi'
import { afterAll, expect, test } from 'vitest'
import { openServer } from './serving.ts'

const { origin, document, close } = await openServer()
afterAll(close)

const FILES = ['', '/', '/openapi.json', '/renderer.js', '/renderer.css']

test.each(FILES)('docs%s has a tag, and is not sent twice', async file => {
  for (const encoding of ['gzip', 'identity']) {
    const headers = { 'Accept-Encoding': encoding }
    const first = await fetch(`${origin}/docs${file}`, { headers })
    const body = await first.text()
    expect([first.status, first.headers.get('content-encoding') ?? 'identity']).toEqual([200, encoding])
    expect(first.headers.get('x-content-type-options')).toBe('nosniff')
    expect(first.headers.get('vary')).toBe('Accept-Encoding')
    const again = await fetch(`${origin}/docs${file}`, {
      headers: { ...headers, 'If-None-Match': first.headers.get('etag') ?? '' },
    })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const head = await fetch(`${origin}/docs${file}`, { method: 'HEAD', headers })
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([
      200,
      '',
      first.headers.get('etag'),
    ])
    expect(head.headers.get('content-length')).toBe(first.headers.get('content-length'))
    expect(body.length).toBeGreaterThan(500)
  }
})

test('openapi.json is the document, for any origin', async () => {
  const response = await fetch(`${origin}/a/b/openapi.json`)
  expect(await response.json()).toEqual(document)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
})

test('the page names the API, and may load nothing from elsewhere but what is tried', async () => {
  const response = await fetch(`${origin}/docs`)
  expect(await response.text()).toContain('<title>Example &#60;Pay&#62;</title>')
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'; script-src 'self' 'sha256-")
  expect(policy).toContain(`; connect-src 'self' ${origin}; `)
  expect(policy).not.toMatch(/unsafe/)
})

test('another path is 404, another method 405', async () => {
  const missing = await fetch(`${origin}/docs/renderer.js.map`)
  expect([missing.status, await missing.json()]).toEqual([404, { message: 'Not found', code: 'not_found' }])
  expect(missing.headers.get('x-request-id')).not.toBe(null)
  const refused = await fetch(`${origin}/docs/openapi.json`, { method: 'POST', body: 'x' })
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test.each([
  [undefined, 'the options of apiReference must be an object'],
  [{}, 'document must be what openApiDocument returns'],
  [{ document: { openapi: '2.0' } }, 'document must be what openApiDocument returns'],
  [{ document, title: 'x' }, 'title is not a known name of the options of apiReference'],
])('%j is refused', (options, message) => {
  expect(() => apiReference(options as never)).toThrow(
    expect.objectContaining({ name: 'TillError', code: 'invalid_input', message }),
  )
})
