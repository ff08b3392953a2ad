import { getConnInfo } from '@hono/node-server/conninfo'
import { type HttpsOption, merchantApi, qrEndpoints, toFetch } from '@tillkit/http'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill, type Till } from '@tillkit/till'
import { type Context, Hono } from 'hono'

export interface AppOptions {
  /** The SQLite file. */
  file: string
  /** The address that QR codes carry. */
  qrBaseUrl: string
  /** `off` for local work. */
  https?: HttpsOption
}

/** A payment provider's Hono app: routes of its own, and Tillkit beside them. */
export async function buildApp({ file, qrBaseUrl, https }: AppOptions): Promise<{
  app: Hono
  till: Till
  close(): Promise<void>
}> {
  const storage = sqliteStorage({ file })
  await storage.migrate()
  const till = createTill({ storage, logger: console })
  const tillkit = toFetch({
    '/v1': merchantApi(till, { https, logger: console }),
    '/qr': qrEndpoints(till, { qrBaseUrl, https, logger: console }),
  })

  const app = new Hono()
  app.get('/', context => context.text('Payments by QR code'))
  const mounted = (context: Context) => tillkit(context.req.raw, { remoteAddress: clientOf(context) })
  for (const path of ['/v1', '/v1/*', '/qr/*']) app.all(path, mounted)
  till.webhooks.start()

  return {
    app,
    till,
    async close() {
      await till.close()
      await storage.close()
    },
  }
}

/** A `Request` does not tell who sent it: the server does, and nobody where there is none, as in a test. */
function clientOf(context: Context): string | undefined {
  return context.env?.incoming ? getConnInfo(context).remote.address : undefined
}
