/** The API on `node:http`, Express or Fastify, and beside it what a host's own program does: it starts and completes payments. */
import './report-cpu.ts'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { toExpress } from '@tillkit/express'
import { toFastify } from '@tillkit/fastify'
import { json, merchantApi } from '@tillkit/http'
import { toNode, writeResponse } from '@tillkit/node'
import { mysqlStorage } from '@tillkit/storage-kysely/mysql'
import { postgresStorage } from '@tillkit/storage-kysely/postgres'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'
import express from 'express'
import fastify from 'fastify'
import type { Place } from '../by-hand/by-hand.ts'

const [given = '', adapter = 'node'] = process.argv.slice(2)
const till = createTill({ storage: open(JSON.parse(given)) })
const api = merchantApi(till, { https: 'off', rateLimits: false })
const listener = await listenerOf(adapter)

function open(place: Place) {
  if (place.engine === 'postgres')
    return postgresStorage({ connectionString: place.connectionString }, { schema: place.schema })
  return place.engine === 'mysql' ? mysqlStorage({ uri: place.uri }) : sqliteStorage({ file: place.file })
}

async function listenerOf(adapter: string): Promise<RequestListener> {
  if (adapter === 'express') return express().use('/v1', toExpress(api)) as RequestListener
  if (adapter !== 'fastify') return toNode({ '/v1': api })
  const app = fastify()
  app.register(toFastify(api), { prefix: '/v1' })
  await app.ready()
  return (request, response) => app.routing(request, response)
}

async function write(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const secret = Buffer.from((request.headers.authorization ?? '').slice(6), 'base64').toString()
  const merchant = await till.authenticate(secret.slice(0, secret.indexOf(':')))
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const [, , , id, verb] = (request.url ?? '').split('/')
  const payment =
    verb === 'complete'
      ? await till.payments.complete({ merchantId: merchant?.id ?? '', id: Number(id) })
      : await till.payments.start(JSON.parse(Buffer.concat(parts).toString()))
  writeResponse(response, json(200, payment))
}

createServer((request, response) => {
  if (request.method !== 'POST') return listener(request, response)
  write(request, response).catch(error => {
    console.error(error)
    response.writeHead(500).end()
  })
}).listen(0, '127.0.0.1', function (this: { address(): unknown }) {
  process.send?.((this.address() as { port: number }).port)
})
