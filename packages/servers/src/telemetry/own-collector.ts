import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

/** A span as OTLP has it in JSON. */
interface SentSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  links?: { traceId: string; spanId: string }[]
}

/** What stands in for an OTLP collector: it takes what is posted by OTLP/HTTP as JSON, and reads it. */
export interface OwnCollector {
  url: string
  spans(): SentSpan[]
  /** The names of the metrics that had a point. */
  metrics(): string[]
  /** The names of the services that have sent. */
  services(): Set<string | undefined>
  close(): Promise<void>
}

/** What it is sent by. */
interface Resource {
  attributes: { key: string; value: { stringValue?: string } }[]
}

interface Sent {
  resourceSpans?: { resource: Resource; scopeSpans: { spans: SentSpan[] }[] }[]
  resourceMetrics?: {
    resource: Resource
    scopeMetrics: { metrics: ({ name: string } & Record<string, unknown>)[] }[]
  }[]
}

async function bodyOf(request: IncomingMessage): Promise<Sent> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  const body = Buffer.concat(pieces)
  const plain = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
  return JSON.parse(plain.toString())
}

/** Starts one on a port of its own. */
export async function ownCollector(): Promise<OwnCollector> {
  const sent: Sent[] = []
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || !/^\/v1\/(traces|metrics)$/.test(request.url ?? '')) {
      response.writeHead(404).end()
      return
    }
    try {
      sent.push(await bodyOf(request))
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
    } catch {
      response.writeHead(400).end()
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans: () =>
      sent.flatMap(({ resourceSpans = [] }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    metrics: () =>
      sent.flatMap(({ resourceMetrics = [] }) =>
        resourceMetrics.flatMap(({ scopeMetrics }) =>
          scopeMetrics.flatMap(({ metrics }) => metrics.map(({ name }) => name)),
        ),
      ),
    services: () =>
      new Set(
        sent
          .flatMap(({ resourceSpans = [], resourceMetrics = [] }) => [...resourceSpans, ...resourceMetrics])
          .flatMap(({ resource }) => resource.attributes)
          .filter(({ key }) => key === 'service.name')
          .map(({ value }) => value.stringValue),
      ),
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
