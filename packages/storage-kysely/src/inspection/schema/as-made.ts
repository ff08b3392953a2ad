import type { Dialect } from '../../dialects/dialect.ts'
import type { FoundIndex } from '../../migrations/indexes/find-indexes.ts'
import { type Index, wholeColumns } from '../../migrations/indexes/index-of-table.ts'
import type { Place } from '../../migrations/indexes/statement-of.ts'
import type { ExpectedIndex } from './expected-indexes.ts'

/** A key is there where what it forbids is forbidden, whatever that is called. */
export function isWhole(
  found: FoundIndex[],
  index: ExpectedIndex,
  forms: ExpectedIndex[],
  place: Place,
): boolean {
  return found
    .filter(one => one.valid && (index.key || takesThePlaceOf(one, index, place)))
    .some(one => forms.some(form => isAsMade(one, form, place.dialect)))
}

/** Whether the two cannot be there at once: for their names, or since a table has one primary key. */
export function takesThePlaceOf(
  found: FoundIndex,
  { key, name }: ExpectedIndex,
  { dialect, named }: Place,
): boolean {
  if (key !== 'primary') return found.name === named(name)
  if (dialect.name === 'mysql') return found.name === 'PRIMARY'
  return found.name === named(name) || found.constraint === 'primary'
}

/** Whether an index is of those columns and forbids what it is to forbid. */
function isAsMade(found: FoundIndex, index: Index, dialect: Dialect): boolean {
  const columns = columnsOf(index, dialect)
  const same =
    found.columns.length === columns.length && columns.every((column, at) => column === found.columns[at])
  return same && found.unique === (index.unique ?? false) && holdsAsMany(found, index, dialect)
}

/** Null where it is no whole column. */
function columnsOf(index: Index, { partialIndexes }: Dialect): (string | null)[] {
  if (!partialIndexes) return wholeColumns(index)
  return [...(index.expression ? [null] : []), ...index.columns, ...(index.last ? [null] : [])]
}

/** One that is unique forbids nothing of the rows that it leaves out, so that it may leave out no others. */
function holdsAsMany({ where }: FoundIndex, { unique, only, columns }: Index, { partialIndexes }: Dialect) {
  if (!unique) return (where !== null) === (partialIndexes && only !== undefined)
  if (where === null) return true
  const words = where.replaceAll(/[()"]/g, '').toLowerCase()
  return only === 'those with the second column' && words === `${columns[1]} is not null`
}
