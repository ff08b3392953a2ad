import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { browserContext, inBrowser } from '@tillkit/servers/browser'
import { build } from 'esbuild'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openShop } from './shop.ts'
import { serveTill } from './sockets.ts'

let script: string

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Runs a function's body in a page of an origin of its own, with the package as `tillkit`. */
async function inPage(body: string): Promise<unknown> {
  const origin = await listen((_, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title>')
  })
  const page = await (await browserContext()).newPage()
  await page.goto(origin)
  return page.evaluate(`(async () => { ${script}; ${body} })()`)
}

inBrowser('in a page of another origin', () => {
  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: { contents: "export * from '@tillkit/client'", resolveDir: import.meta.dirname },
      ...{ bundle: true, write: false, format: 'iife', globalName: 'tillkit', platform: 'browser' },
      conditions: ['@tillkit/source'],
    })
    script = outputFiles[0]?.text ?? ''
  }, 120_000)

  test('it reads pages with their headers, ends a period, and gets codes and ids of errors', async () => {
    const { till, apiKey, pay } = await openShop()
    for (let i = 0; i < 250; i++) await pay({}, 'completed')
    const baseUrl = `http://127.0.0.1:${await serveTill(till)}/v1`
    const found = await inPage(`
      const shop = tillkit.createClient(${JSON.stringify({ baseUrl, apiKey })})
      let count = 0
      for await (const payment of shop.payments.all()) count += 1
      const { reference } = await shop.cashUps.create()
      const { status, code, requestId } = await shop.payments.get(251).catch(error => error)
      const wrong = tillkit.createClient({ baseUrl: ${JSON.stringify(baseUrl)}, apiKey: 'tk_wrong' })
      const refused = await wrong.payments.list().catch(error => error.code)
      return { count, reference, status, code, hasId: requestId !== null, refused }`)
    expect(found).toEqual({
      ...{ count: 250, reference: (await till.cashUps.list('coffee')).items[0]?.reference },
      ...{ status: 404, code: 'not_found', hasId: true, refused: 'unauthorised' },
    })
  })

  test('a redirect is not followed, and an origin that may not call is a network error', async () => {
    const led: string[] = []
    const redirecting = await listen((request, response) => {
      led.push(request.url ?? '')
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('access-control-allow-headers', 'authorization')
      response.writeHead(request.method === 'OPTIONS' ? 204 : 302, { location: '/elsewhere' }).end()
    })
    const closed = await listen((_, response) => response.end('[]'))
    const found = await inPage(`
      const codeOf = baseUrl =>
        tillkit.createClient({ baseUrl, apiKey: 'tk_x', retries: 0 }).payments.get(7).catch(error => error.code)
      return [await codeOf('${redirecting}'), await codeOf('${closed}')]`)
    expect(found).toEqual(['unexpected_answer', 'network'])
    expect(led).not.toContain('/elsewhere')
  })
})
