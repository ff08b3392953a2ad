/**
 * Handlers of `@tillkit/http` in Express 5: `toExpress`.
 *
 * @packageDocumentation
 */
export { toExpress } from './to-express.ts'
