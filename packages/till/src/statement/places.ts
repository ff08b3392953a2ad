import { shortened, TillError } from '@tillkit/domain'
import type { StatementColumns } from './format.ts'

/** A column of a file: where it stands in a line, from 0, and what it is called in a message. */
export interface Place {
  index: number
  called: string
}

export type Places = { [Name in keyof StatementColumns]: Place }

/** True where the file has a line that names its columns. */
export function hasHeader({ merchantId }: StatementColumns): boolean {
  return typeof merchantId === 'string'
}

/** Where the columns stand, by the line that names them; null where they are places themselves. */
export function placesOf(columns: StatementColumns, header: readonly string[] | null, line: number): Places {
  const names = header?.map(name => name.trim()) ?? []
  const places = Object.entries(columns).flatMap(([name, column]: [string, string | number | undefined]) => {
    if (column === undefined) return []
    const called = typeof column === 'string' ? `"${shortened(column)}"` : `${column}`
    const index = typeof column === 'string' ? names.indexOf(column) : column - 1
    if (index < 0) {
      const there = shortened(names.map(one => `"${one}"`).join(', '))
      throw new TillError('invalid_input', `line ${line} names no column ${called}, but ${there}`)
    }
    if (typeof column === 'string' && names.lastIndexOf(column) !== index) {
      throw new TillError('invalid_input', `line ${line} names the column ${called} twice`)
    }
    return [[name, { index, called }]]
  })
  return Object.fromEntries(places) as Places
}
