/**
 * A place to try: `createSandbox(till, options)` mounts where `merchantApi(till)` would and gives test keys a test ledger of
 * the same merchant, whose payments a developer makes by request, from a seed, with a clock that can be moved.
 *
 * @packageDocumentation
 */
export { TillError } from '@tillkit/domain'
export { createSandbox, type Sandbox } from './create-sandbox.ts'
export type { SandboxOptions, SandboxWebhooks } from './options.ts'
export { sandboxRoutes } from './routes/routes.ts'
export type { TestKeys } from './test-keys.ts'
