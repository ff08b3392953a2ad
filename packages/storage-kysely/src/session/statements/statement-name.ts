import { createHash } from 'node:crypto'

const names = new Map<string, string>()

/** Gives a statement that is sent again and again a name, the same in every process, that a connection keeps its plan by. */
export function nameStatement(sql: string): void {
  names.set(sql, nameOfStatement(sql))
}

/** That name, which is not remembered. */
export function nameOfStatement(sql: string): string {
  return `tillkit_${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`
}

/** The name of a statement; undefined for one that is sent once, or with ever new text. */
export function statementName(sql: string): string | undefined {
  return names.get(sql)
}
