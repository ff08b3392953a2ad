import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createConsole, PERMISSIONS } from '@tillkit/console'
import { toExpress } from '@tillkit/express'
import { toFastify } from '@tillkit/fastify'
import { type HttpHandler, toFetch } from '@tillkit/http'
import { toNode } from '@tillkit/node'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import express from 'express'
import fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'

const MOUNT = '/back/office'

type Fetch = (path: string, init?: RequestInit) => Promise<Response>

async function listening(server: Server): Promise<Fetch> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return overSockets(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

const overSockets =
  (origin: string): Fetch =>
  (path, init) =>
    fetch(`${origin}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { ...init?.headers, 'sec-fetch-site': 'same-origin' },
    })

/** Servers that are there already, with routes of their own and the console beside them. */
const SERVERS: Record<string, (handler: HttpHandler) => Promise<Fetch>> = {
  'node:http': handler => listening(createServer(toNode({ [MOUNT]: handler }))),
  Express(handler) {
    const app = express()
    app.get('/', (_, response) => void response.send('a shop'))
    app.use(MOUNT, toExpress(handler))
    return listening(createServer(app))
  },
  async Fastify(handler) {
    const app = fastify()
    app.get('/', () => 'a shop')
    app.register(toFastify(handler), { prefix: MOUNT })
    onTestFinished(() => app.close())
    return overSockets(await app.listen({ host: '127.0.0.1', port: 0 }))
  },
  async 'a fetch host'(handler) {
    const answer = toFetch({ [MOUNT]: handler })
    return async (path, init) => {
      const headers = { ...init?.headers, 'sec-fetch-site': 'same-origin' }
      return answer(new Request(`http://127.0.0.1${path}`, { ...init, headers }), {
        remoteAddress: '127.0.0.1',
      })
    }
  },
}

test.each(Object.entries(SERVERS))(
  'in %s: a page and its style, a form, a file in and a file out',
  async (_, open) => {
    const till = createTill({ storage: memoryStorage(), logger: false, rememberSeconds: 0 })
    onTestFinished(() => till.close())
    await till.merchants.create({ id: 'cafe', name: 'Corner Café' })
    await till.scanCodes.create('cafe', { code: 'counter' })
    await till.payments.complete(await till.payments.start({ scanCode: 'counter', totalAmount: 450 }))
    const { handler } = createConsole(till, {
      authorize: () => ({ name: 'Ada', permissions: PERMISSIONS }),
      currency: 'EUR',
      https: 'off',
      logger: false,
    })
    const ask = await open(handler)

    const landed = await ask(`${MOUNT}/?open`)
    expect([landed.status, landed.headers.get('location')]).toEqual([303, './home'])
    const codes = await ask(`${MOUNT}/m-cafe/codes`)
    const page = await codes.text()
    expect([codes.status, page.includes('Corner Café')]).toEqual([200, true])
    const [, style = ''] = /<link rel="stylesheet" href="(?:\.\.\/)+([^"]+)"/.exec(page) ?? []
    const styled = await ask(`${MOUNT}/${style}`)
    expect([styled.status, styled.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/css/),
    ])

    const cookie = codes.headers.get('set-cookie')?.split(';')[0] ?? ''
    /** The hidden fields of the form that does `action`. */
    const fieldsOf = (html: string, action: string) => {
      const form = html.split('<form method="post"').find(text => text.includes(`value="${action}"`)) ?? ''
      return [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']): [string, string] => [name, value],
      )
    }
    const added = await ask(`${MOUNT}/m-cafe/codes`, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams([...fieldsOf(page, 'create'), ['code', 'bar'], ['reference', 'Bar']]),
    })
    expect(added.status).toBe(303)
    expect(await till.scanCodes.get('bar')).toMatchObject({ reference: 'Bar' })

    const csv = await (await ask(`${MOUNT}/m-cafe/payments.csv`)).text()
    expect(csv).toMatch(/merchantId,id,.*\r\n"cafe",1,/s)
    const form = await (await ask(`${MOUNT}/settlements/import`, { headers: { cookie } })).text()
    const statement = new FormData()
    for (const [name, value] of fieldsOf(form, 'try')) statement.append(name, value)
    for (const [name, column] of [
      ['merchantId', 'merchantId'],
      ['amount', 'totalAmount'],
      ['paymentId', 'id'],
    ]) {
      statement.append(`column-${name}`, column ?? '')
    }
    statement.append('statementReference', 'S-1')
    statement.append('file', new File([csv], 'S-1.csv', { type: 'text/csv' }))
    const tried = await ask(`${MOUNT}/settlements/import`, {
      method: 'POST',
      headers: { cookie },
      body: statement,
    })
    expect(tried.status).toBe(303)
    const shown = new URL(tried.headers.get('location') ?? '', `http://127.0.0.1${MOUNT}/settlements/import`)
    await vi.waitFor(
      async () => {
        const result = await (await ask(`${shown.pathname}${shown.search}`)).text()
        expect(result).toMatch(/Would be settled<\/span><strong>1</)
      },
      { timeout: 60_000 },
    )
  },
)

test('a statement of more than 16 MiB is refused', async () => {
  const till = createTill({ storage: memoryStorage(), logger: false })
  onTestFinished(() => till.close())
  const { handler } = createConsole(till, {
    authorize: () => ({ name: 'Ada', permissions: PERMISSIONS }),
    currency: 'EUR',
    https: 'off',
    logger: false,
  })
  const ask = await SERVERS['a fetch host']?.(handler)
  const handIn = async (bytes: number) => {
    const body = new FormData()
    body.append('file', new File([new Uint8Array(bytes)], 'S-1.csv', { type: 'text/csv' }))
    return (await ask?.(`${MOUNT}/settlements/import`, { method: 'POST', body }))?.status
  }
  const MIB = 1024 * 1024
  expect([await handIn(15 * MIB), await handIn(16 * MIB)]).toEqual([403, 413])
})
