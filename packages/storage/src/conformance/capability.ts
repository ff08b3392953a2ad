import { type Scene, sceneOf } from './scene.ts'
import type { Expect, OpenStorage, TestRunner } from './test-runner.ts'

/** What the checks of one capability are written with. */
export interface Checks {
  /** A test over the capability's store. Other tests have left rows in it; each makes merchants of its own. */
  test(name: string, body: (scene: Scene) => Promise<void>): void
  expect: Expect
}

/**
 * Runs the checks of one capability over one store, opened by the first test that runs and closed after the last, so
 * that a real database is migrated once a capability and not once a test.
 */
export function capability(
  name: string,
  { describe, test, expect }: TestRunner,
  open: OpenStorage,
  define: (checks: Checks) => void,
): void {
  describe(name, () => {
    let opened: ReturnType<OpenStorage> | undefined
    let remaining = 0

    define({
      expect,
      test(title, body) {
        remaining += 1
        test(title, async () => {
          opened ??= open()
          const { storage, close } = await opened
          try {
            await body(sceneOf(storage))
          } finally {
            remaining -= 1
            if (remaining === 0) {
              opened = undefined
              await close()
            }
          }
        })
      },
    })
  })
}
