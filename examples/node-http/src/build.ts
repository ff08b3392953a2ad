import { createServer, type Server } from 'node:https'
import { merchantApi, qrEndpoints } from '@tillkit/http'
import { closeServer, toNode } from '@tillkit/node'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill, type Till } from '@tillkit/till'

export interface ServerOptions {
  /** The SQLite file. */
  file: string
  /** The certificate and its key, in PEM. */
  tls: { key: string; cert: string }
  /** The address that QR codes carry. */
  qrBaseUrl: string
}

/** A payment provider on plain `node:https`: a route of its own, and Tillkit beside it. */
export async function buildServer({ file, tls, qrBaseUrl }: ServerOptions): Promise<{
  server: Server
  till: Till
  close(): Promise<void>
}> {
  const storage = sqliteStorage({ file })
  await storage.migrate()
  const till = createTill({ storage, logger: console })
  const tillkit = toNode({
    '/v1': merchantApi(till, { logger: console }),
    '/qr': qrEndpoints(till, { qrBaseUrl, logger: console }),
  })

  const server = createServer(tls, (request, response) => {
    if (request.url === '/health') response.end('well')
    else tillkit(request, response)
  })
  till.webhooks.start()

  return {
    server,
    till,
    async close() {
      await closeServer(server)
      await till.close()
      await storage.close()
    },
  }
}
