import type { IncomingMessage } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type HttpBindings, type ServerType, serve as serveHono } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { toFetch } from '@tillkit/http'
import type { Adapter } from '@tillkit/http/adapter-conformance'
import { type Context, Hono } from 'hono'

/** A Hono app on @hono/node-server, with the mounts behind `Request` and `Response`. */
export const serve: Adapter['serve'] = async ({ mounts, tls, parsesBodies }) => {
  const app = new Hono<{ Bindings: HttpBindings }>()
  if (parsesBodies) {
    app.use(async (context, next) => {
      await context.req.arrayBuffer()
      await next()
    })
  }
  app.get('/host', context => context.text('the host'))
  app.post('/host', async context => context.json(await context.req.json()))
  const fetch = toFetch(mounts)
  const mounted = (context: Context<{ Bindings: HttpBindings }>) => {
    const { incoming, outgoing } = context.env
    outgoing.once('finish', () => boundRest(incoming))
    return fetch(context.req.raw, { remoteAddress: getConnInfo(context).remote.address })
  }
  for (const path of Object.keys(mounts)) {
    app.all(path, mounted)
    app.all(path === '/' ? '/*' : `${path}/*`, mounted)
  }
  const server = await new Promise<ServerType>(resolve => {
    const options = {
      fetch: app.fetch,
      port: 0,
      hostname: '127.0.0.1',
      overrideGlobalObjects: false,
      // It ends a connection whose body took longer than half a second after the answer: a busy machine needs more.
      autoCleanupIncoming: false,
    }
    const secure = tls && { createServer: createSecureServer, serverOptions: tls }
    const started: ServerType = serveHono({ ...options, ...secure }, () => resolve(started))
  })
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      if ('closeAllConnections' in server) server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const MOST_OF_A_REST = 16 * 1024 * 1024

/** Node reads what nobody wanted of a body once the answer is out, however much that is: here it is so much at most. */
function boundRest(incoming: IncomingMessage): void {
  const { socket } = incoming
  const most = socket.bytesRead + MOST_OF_A_REST
  const watch = setInterval(() => {
    if (incoming.complete || socket.destroyed) clearInterval(watch)
    else if (socket.bytesRead > most) socket.destroySoon()
  }, 10)
}
