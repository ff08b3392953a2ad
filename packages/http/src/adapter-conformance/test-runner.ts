/** What the suite needs of a test runner: vitest, jest, bun:test, or node:test with jest's `expect`. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown
  test(name: string, body: () => Promise<void>): unknown
  expect: Expect
}

export type Expect = (actual: unknown) => Expectation

export interface Expectation {
  toBe(expected: unknown): unknown
  toEqual(expected: unknown): unknown
}
