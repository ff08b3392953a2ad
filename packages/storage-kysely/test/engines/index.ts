import { describe, test } from 'vitest'
import type { Engine } from './engine.ts'
import { mysqlEngine } from './mysql.ts'
import { postgresEngine } from './postgres.ts'
import { sqlite } from './sqlite.ts'

const ENGINES: readonly Engine[] = [sqlite, await postgresEngine(), await mysqlEngine()]

/**
 * Describes the same tests over every engine. One that cannot be had is reported as skipped, by name; where `CI` is
 * true it fails instead, so that nothing goes untested unseen.
 */
export function overEveryEngine(define: (engine: Engine) => void): void {
  for (const engine of ENGINES) {
    if (engine.unavailable === undefined) {
      describe(engine.name, () => define(engine))
    } else if (process.env.CI === 'true') {
      test(engine.name, () => {
        throw new Error(`${engine.name} cannot be had: ${engine.unavailable}`)
      })
    } else {
      describe.skip(`${engine.name} (${engine.unavailable})`, () => define(engine))
    }
  }
}
