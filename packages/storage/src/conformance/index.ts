export { type PropertyOptions, storageMatchesModel } from './model/storage-matches-model.ts'
export { storageConformance } from './storage-conformance.ts'
export type { Expect, Expectation, OpenedStorage, OpenStorage, TestRunner } from './test-runner.ts'
