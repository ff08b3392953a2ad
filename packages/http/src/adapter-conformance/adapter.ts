import type { Mounts } from '../mounts.ts'

/** A host that answers. */
export interface ServedHost {
  /** Where, on 127.0.0.1. */
  port: number
  /** Stops it. */
  close(): Promise<void>
}

/** An adapter in a host of its framework, as the suite gets to see it. */
export interface Adapter {
  /** Starts a host on a free port of 127.0.0.1. */
  serve(host: Host): Promise<ServedHost>
  /** Where an error of a handler goes: to the host's own error handler, or nowhere, masked by the adapter. */
  errors: 'host' | 'masked'
  /**
   * Which targets arrive byte for byte: all; those whose escapes are well-formed, the others are 400; or what is left of
   * them once the WHATWG parser has resolved dots.
   */
  targets: 'all' | 'well-formed' | 'resolved'
  /** Whether the framework has a setting of its own that says which proxies are believed. */
  trustsProxies: boolean
}

/**
 * A server with routes of its own, which must stay what they are:
 *
 * - `GET /host` is 200 and the text `the host`; `POST /host` is 200 and the JSON it was sent, parsed by the host.
 * - `GET /host/throws` throws an `Error` of message `thrown by the host`.
 * - Where there is an error handler, it answers 500 and the text `host: ` and the error's message.
 */
export interface Host {
  /** Handlers to be mounted by the adapter, in this order, after the host's own routes. */
  mounts: Mounts
  /** Served over TLS with this; over plain HTTP when left out. */
  tls?: Certificate
  /** The framework's own setting that loopback addresses are trusted proxies is on. */
  trustsLoopback?: boolean
  /** The framework's own parsers (JSON, forms, text and bytes, 1 MiB or more) are on for all requests, before the mounts. */
  parsesBodies?: boolean
}

/** In PEM, for `localhost`. */
export interface Certificate {
  /** The private key. */
  key: string
  /** The certificate. */
  cert: string
}
