import type { DialectName } from '../../dialects/dialect.ts'

/** Whether a column that the engine describes so is one of the type that it was made with, or of one that holds as much. */
export function isSameType(dialect: DialectName, found: string, made: string): boolean {
  const [is, was] = [FORMS[dialect](found), FORMS[dialect](made)]
  return is === was || lengthOf(is) >= lengthOf(was)
}

/** What the engines call by several names, by one. */
const FORMS: Record<DialectName, (type: string) => string> = {
  sqlite: type => type.toLowerCase().replace(/^.*?(?= collate | generated$|$)/, affinityOf),
  postgres: type => type.replace(/^timestamp with time zone/, 'timestamptz'),
  mysql: type =>
    type
      .replace(/^bigint\(\d+\)/, 'bigint')
      .replace(/^tinyint\(1\)/, 'boolean')
      .replace(/^longtext/, 'json'),
}

/** By SQLite's rules for what is declared; it keeps any other number as it does a whole one. */
function affinityOf(declared: string): string {
  if (/int/.test(declared)) return 'number'
  if (/char|clob|text/.test(declared)) return 'text'
  if (/blob|^$/.test(declared)) return 'blob'
  return /real|floa|doub/.test(declared) ? 'real' : 'number'
}

const lengthOf = (type: string) => Number(/^varchar\((\d+)\)$/.exec(type)?.[1])
