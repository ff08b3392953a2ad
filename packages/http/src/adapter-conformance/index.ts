/**
 * Checks any adapter of handlers to a server: `adapterConformance`.
 *
 * @packageDocumentation
 */
export type { Adapter, Certificate, Host, ServedHost } from './adapter.ts'
export { adapterConformance, type Surroundings } from './adapter-conformance.ts'
export type { Expect, Expectation, TestRunner } from './test-runner.ts'
