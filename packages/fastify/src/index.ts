/**
 * Handlers of `@tillkit/http` in Fastify 5: `toFastify`.
 *
 * @packageDocumentation
 */
export { toFastify } from './to-fastify.ts'
