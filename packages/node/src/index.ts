/**
 * Handlers of `@tillkit/http` on `node:http` and `node:https`: `toNode`, and the graceful end of a server: `closeServer`. `httpRequest` and `writeResponse` convert
 * between Node's objects and the neutral ones, for adapters of frameworks that stand on Node's.
 *
 * @packageDocumentation
 */
export {
  type ClosableServer,
  type ClosedServer,
  type CloseServerOptions,
  closeServer,
} from './close-server.ts'
export { endWhereClosing } from './last-answers.ts'
export { letGo } from './let-go.ts'
export { httpRequest, type RequestFacts } from './node-request.ts'
export { asSent, writeResponse } from './node-response.ts'
export type { ErrorLogger, NodeOptions } from './options.ts'
export { type NodeListener, toNode } from './to-node.ts'
export type { Trust, TrustProxy } from './trust-proxy.ts'
