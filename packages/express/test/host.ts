import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { toExpress } from '@tillkit/express'
import type { Adapter } from '@tillkit/http/adapter-conformance'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'

/** Listens on a free port until it is closed. */
export async function listening(app: Express, tls?: { key: string; cert: string }) {
  const server = tls ? createSecureServer(tls, app) : createServer(app)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

export const serve: Adapter['serve'] = ({ mounts, tls, trustsLoopback, parsesBodies }) => {
  const app = express()
  if (trustsLoopback) app.set('trust proxy', 'loopback')
  if (parsesBodies) {
    app.use(express.json(), express.urlencoded(), express.text(), express.raw({ type: '*/*', limit: '20mb' }))
  }
  app.get('/host', (_request, response) => {
    response.send('the host')
  })
  app.post('/host', express.json(), (request, response) => {
    response.json(request.body)
  })
  app.get('/host/throws', () => {
    throw new Error('thrown by the host')
  })
  for (const [path, handler] of Object.entries(mounts)) app.use(path, toExpress(handler))
  app.use((error: Error, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error)
    response.status(500).send(`host: ${error.message}`)
  })
  return listening(app, tls)
}
