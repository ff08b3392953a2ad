import type { DialectName } from '../../src/index.ts'
import { BIG, clearedOf, type Size, sqlOf } from './fill.ts'

/** What is done to a database, one after the other, and what its statistics then do not know. */
export interface Scene {
  name: string
  /** True where they know all there is. */
  analyzed?: boolean
  steps(dialect: DialectName, size: Size): string[]
}

export const SCENES: Scene[] = [
  {
    name: 'tables that were analyzed empty, then filled',
    steps: (dialect, size) => [...sqlOf(dialect).analyze, ...sqlOf(dialect).fill(size)],
  },
  {
    name: 'one merchant of many payments beside many of one',
    analyzed: true,
    steps: dialect => sqlOf(dialect).analyze,
  },
  {
    name: 'a backlog beside what was delivered and analyzed',
    steps: (dialect, size) => sqlOf(dialect).backlog(size),
  },
  {
    name: 'tables that were analyzed full, then emptied but for the backlog',
    steps: (dialect, size) => sqlOf(dialect).empty(size),
  },
  {
    name: 'merchants of one payment each that were analyzed, then one of many',
    steps(dialect, size) {
      const { analyze, fill } = sqlOf(dialect)
      const isOfBig = (statement: string) => statement.includes(`'${BIG}'`)
      const all = fill(size)
      return [
        ...clearedOf(dialect),
        ...all.filter(statement => !isOfBig(statement)),
        ...analyze,
        ...all.filter(isOfBig),
      ]
    },
  },
]
