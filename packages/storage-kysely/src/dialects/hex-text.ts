import type { CompiledQuery } from 'kysely'

/**
 * A text as a driver that writes values into its statements may write it there (mysql2's `toSqlString`): hexadecimal
 * digits alone, which mean the same in every character set and SQL mode, and which nothing in the text can end.
 */
export class HexText {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toSqlString(): string {
    return `_utf8mb4 X'${Buffer.from(this.#text).toString('hex')}'`
  }
}

/** The query with its texts in that form. */
export function inHex<Row>(query: CompiledQuery<Row>): CompiledQuery<Row> {
  return { ...query, parameters: query.parameters.map(hexOf) }
}

export function hexOf(value: unknown): unknown {
  return typeof value === 'string' ? new HexText(value) : value
}
