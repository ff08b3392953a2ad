/**
 * Tries a mounted instance of the merchant payments API over the network against its contract, docs/api.md, and compares two
 * instances answer by answer.
 *
 * @packageDocumentation
 */
export { checkConformance } from './check-conformance.ts'
export {
  type ComparedInstance,
  type ComparisonOptions,
  compareInstances,
} from './compare/compare-instances.ts'
export type { AskingOptions, ConformanceOptions } from './options.ts'
export { CannotTry, type CheckResult, type ConformanceReport, type Difference } from './report.ts'
export type { Vocabulary } from './vocabulary.ts'
