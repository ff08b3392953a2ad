import { toFastify } from '@tillkit/fastify'
import { type HttpsOption, merchantApi, qrEndpoints } from '@tillkit/http'
import { closeServer } from '@tillkit/node'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill, type Till, TillError } from '@tillkit/till'
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'

export interface AppOptions {
  /** The SQLite file. */
  file: string
  /** The address that QR codes carry. */
  qrBaseUrl: string
  /** `off` for local work. */
  https?: HttpsOption
  /** Fastify's own options: `logger`, `trustProxy` and all the others. */
  fastify?: FastifyServerOptions
}

declare module 'fastify' {
  interface FastifyInstance {
    till: Till
  }
}

/** Only `true` is approved. Without a type nothing is taken for either: Fastify makes `false` of null, and of a text. */
const outcome = { type: 'object', required: ['approved'], properties: { approved: { enum: [true, false] } } }

/** What the processor is told of a till's refusal: of another outcome than the one there is, 409. */
const STATUS = { invalid_input: 400, not_found: 404, conflict: 409, not_ready: 503 }

/** A payment provider's Fastify server: routes of its own, and Tillkit beside them. */
export async function buildApp({ file, qrBaseUrl, https, ...options }: AppOptions): Promise<FastifyInstance> {
  const app = fastify({ return503OnClosing: false, ...options.fastify })
  const logger = app.log

  const storage = sqliteStorage({ file })
  await storage.migrate()
  const till = createTill({ storage, logger })
  app.decorate('till', till)
  app.register(toFastify(merchantApi(till, { https, logger })), { prefix: '/v1' })
  app.register(toFastify(qrEndpoints(till, { qrBaseUrl, https, logger })), { prefix: '/qr' })
  app.addHook('onReady', async () => till.webhooks.start())
  // Fastify alone would reset what was sent on a connection that a client keeps, and wait for those whose answer is out.
  app.addHook('preClose', async () => void (await closeServer(app.server)))
  app.addHook('onClose', async () => {
    await till.close()
    await storage.close()
  })

  // What the card processor calls.
  app.post<{ Params: { merchantId: string; id: number }; Body: { approved: boolean } }>(
    '/processor/payments/:merchantId/:id',
    {
      schema: { params: { type: 'object', properties: { id: { type: 'integer' } } }, body: outcome },
      errorHandler(error, _request, reply) {
        if (error instanceof TillError) reply.code(STATUS[error.code])
        reply.send(error)
      },
    },
    async ({ params, body }) => {
      const outcome = body.approved ? till.payments.complete(params) : till.payments.fail(params)
      return { status: (await outcome).status }
    },
  )
  return app
}
