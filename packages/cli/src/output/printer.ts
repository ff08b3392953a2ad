import { styleText } from 'node:util'
import type { Surroundings } from '../program/surroundings.ts'
import { inOneLine, json, shown } from './shown.ts'
import { unlessGone, write } from './write.ts'

/** What a cell is made of. */
export type Cell = string | number | boolean | null | undefined

/** The columns of a table: their heads, and what of a row stands there. */
export type Columns<Row> = readonly (readonly [head: string, cell: (row: Row) => Cell])[]

/**
 * Writes what was asked for to stdout: for people, or with `--json` for programs, and notes to stderr. What a command has found stays
 * so where nobody reads it any more.
 */
export interface Printer {
  /** Whether a program reads it. */
  readonly json: boolean
  /** A table of rows; with `--json` the value, whole, as the till returned it. */
  table<Row>(value: unknown, rows: readonly Row[], columns: Columns<Row>): Promise<void>
  /** One thing, a line for each of its parts; with `--json` the value. */
  one(value: unknown, parts: readonly (readonly [name: string, cell: Cell])[]): Promise<void>
  /** Text as it is, such as a key; with `--json` the value. */
  text(value: unknown, text: string): Promise<void>
  /** For people: on stderr, and not with `--json`. */
  note(sentence: string): void
}

const COLOURS: Record<string, 'green' | 'red' | 'yellow'> = {
  completed: 'green',
  delivered: 'green',
  error: 'red',
  exhausted: 'red',
  pending: 'yellow',
}

/** A printer to these surroundings. */
export function printer(around: Surroundings, asJson: boolean): Printer {
  const { stdout, stderr } = around
  const coloured = hasColours(around)
  const style = (format: 'bold' | 'dim' | 'green' | 'red' | 'yellow', text: string) =>
    coloured ? styleText(format, text, { validateStream: false }) : text
  const cellOf = (cell: Cell) => {
    const text = shown(cell)
    const colour = typeof cell === 'string' ? COLOURS[cell] : undefined
    return colour ? style(colour, text) : text
  }
  const say = (text: string) => unlessGone(write(stdout, text))
  const asData = (value: unknown) => say(`${json(value, 2)}\n`)

  return {
    json: asJson,
    async table(value, rows, columns) {
      if (asJson) return asData(value)
      const { tableText } = await import('./table.ts')
      const head = columns.map(([name]) => style('bold', name))
      const cells = rows.map(row => columns.map(([, cell]) => cellOf(cell(row))))
      await say(tableText(head, cells))
    },
    async one(value, parts) {
      if (asJson) return asData(value)
      const { tableText } = await import('./table.ts')
      const cells = parts.map(([name, cell]) => [style('bold', shown(name)), cellOf(cell)])
      await say(tableText([], cells))
    },
    text: (value, text) => (asJson ? asData(value) : say(`${text}\n`)),
    note(sentence) {
      if (!asJson) stderr.write(`${inOneLine(sentence)}\n`)
    },
  }
}

/** Colours are for people who have not said that they want none. */
export function hasColours({ env, stdout }: Pick<Surroundings, 'env' | 'stdout'>): boolean {
  return stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
}
