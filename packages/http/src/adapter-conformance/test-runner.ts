/** What the suite needs of a test runner: vitest, jest, bun:test, or node:test with jest's `expect`. */
export interface TestRunner {
  /** Names the tests that `body` registers. */
  describe(name: string, body: () => void): unknown
  /** Registers a test, which fails when `body` rejects. */
  test(name: string, body: () => Promise<void>): unknown
  /** Says what is expected of a value. */
  expect: Expect
}

/** The runner's `expect`. */
export type Expect = (actual: unknown) => Expectation

/** What is expected of a value; throws where it is not so. */
export interface Expectation {
  /** The same value, by `Object.is`. */
  toBe(expected: unknown): unknown
  /** The same in structure, however deep; what is undefined counts as left out. */
  toEqual(expected: unknown): unknown
}
