import { afterAll, describe, test } from 'vitest'
import type { Engine } from './engine.ts'
import { mysqlEngine } from './mysql.ts'
import { postgresEngine } from './postgres.ts'
import { sqlite } from './sqlite.ts'

const postgres = await postgresEngine()
const mysql = await mysqlEngine()
const SERVERS: readonly Engine[] = [postgres, mysql]

// Of the test file, whatever it describes how often. Hooks run backwards: this one is the last.
afterAll(() => Promise.all(SERVERS.map(engine => engine.close?.())))

/**
 * Describes the same tests over every engine. One that cannot be had is reported as skipped, by name; where `CI` is
 * true it fails instead, so that nothing goes untested unseen.
 */
export function overEveryEngine(define: (engine: Engine) => void): void {
  over([sqlite, ...SERVERS], define)
}

/** The same over PostgreSQL alone. */
export function overPostgres(define: (engine: Engine) => void): void {
  over([postgres], define)
}

/** The same over MariaDB or MySQL alone. */
export function overMysql(define: (engine: Engine) => void): void {
  over([mysql], define)
}

/** The same over PostgreSQL and SQLite: what MariaDB and MySQL have not. */
export function overPostgresAndSqlite(define: (engine: Engine) => void): void {
  over([sqlite, postgres], define)
}

/** Over MariaDB alone: what MySQL has not. */
export function overMariadb(define: (engine: Engine) => void): void {
  const { name, unavailable } = mysql
  if (unavailable !== undefined || name === 'MariaDB') over([mysql], define)
  else describe.skip('MariaDB (the server is MySQL)', () => define(mysql))
}

/** The same over those that are servers. */
export function overEveryServer(define: (engine: Engine) => void): void {
  over(SERVERS, define)
}

function over(engines: readonly Engine[], define: (engine: Engine) => void): void {
  for (const engine of engines) {
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
