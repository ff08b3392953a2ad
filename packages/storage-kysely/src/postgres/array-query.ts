import { AS_ARRAYS } from './array-form.ts'

/** The part of pg's `Connection` that a query of one's own speaks through. */
export interface Wire {
  /** The text of each statement that the session has prepared, by its name. */
  readonly parsedStatements: Readonly<Record<string, string>>
  readonly stream: { cork(): void; uncork(): void }
  parse(statement: { name: string; text: string }): void
  bind(portal: { statement: string; values: (string | null)[] }): void
  describe(what: { type: 'P'; name: string }): void
  execute(portal: { portal: string }): void
  sync(): void
}

/** What a statement came to. */
interface ArrayAnswer {
  rows: unknown[][]
  rowCount: number | null
  command: string
}

/** Hears how a statement ended. */
type Answered = (error: Error | null, result?: ArrayAnswer) => void

type Read = (text: string) => unknown

const SPOKEN = ['parse', 'bind', 'describe', 'execute', 'sync'] as const

/** How the columns of a session's prepared statements are read, by the statements' names; undefined where it is not spoken so. */
const sessions = new WeakMap<object, Map<string, Read[]> | undefined>()

/**
 * A prepared statement with arrays for rows, as a query class of one's own that pg takes (`submit`): as pg's, but the server is
 * asked once a session what the columns are. It would say the same each time, and refuses a statement whose columns have
 * changed; to say it, and to hear it, costs a sixth of a short read.
 */
export class ArrayQuery {
  readonly name: string
  readonly text: string
  /** Set by pg. */
  callback: Answered | undefined
  readonly #values: (string | null)[]
  readonly #columns: Map<string, Read[]>
  readonly #rows: unknown[][] = []
  #read: Read[] = []
  #done = ''

  /** @param columns - those of its session. */
  constructor(name: string, text: string, values: (string | null)[], columns: Map<string, Read[]>) {
    this.name = name
    this.text = text
    this.#values = values
    this.#columns = columns
  }

  /** Called by pg at its turn. What it returns is the answer. */
  submit(wire: Wire): Error | null {
    const { name, text } = this
    const prepared = wire.parsedStatements[name]
    if (prepared !== undefined && prepared !== text) return new Error(`${name} is another statement's name`)
    const read = prepared === undefined ? undefined : this.#columns.get(name)
    wire.stream.cork()
    try {
      if (prepared === undefined) wire.parse({ name, text })
      wire.bind({ statement: name, values: this.#values })
      if (read) this.#read = read
      else wire.describe({ type: 'P', name: '' })
      wire.execute({ portal: '' })
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
    return null
  }

  handleRowDescription({ fields }: { fields: { dataTypeID: number }[] }): void {
    this.#read = fields.map(({ dataTypeID }) => AS_ARRAYS.types.getTypeParser(dataTypeID))
    this.#columns.set(this.name, this.#read)
  }

  handleDataRow({ fields }: { fields: unknown[] }): void {
    const read = this.#read
    for (let n = 0; n < fields.length; n++) {
      const text = fields[n]
      if (text !== null) fields[n] = read[n]?.(text as string)
    }
    this.#rows.push(fields)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#done = text
  }

  handleReadyForQuery(): void {
    const [command = '', ...numbers] = this.#done.split(' ')
    const last = numbers.at(-1)
    const rowCount = last === undefined ? null : Number(last)
    this.callback?.(null, { rows: this.#rows, rowCount, command })
  }

  handleError(error: Error): void {
    this.callback?.(error)
  }
}

/** The query, where the client speaks so, and for values that it is plain how to write; undefined elsewhere. */
export function arrayQuery(
  { connection, pipeline }: { connection?: object; pipeline?: boolean },
  name: string | undefined,
  text: string,
  values: unknown[],
): ArrayQuery | undefined {
  if (name === undefined || pipeline || connection === undefined) return undefined
  const columns = columnsOf(connection)
  const texts = columns && asTexts(values)
  return texts && new ArrayQuery(name, text, texts, columns)
}

function columnsOf(connection: object): Map<string, Read[]> | undefined {
  const known = sessions.get(connection)
  if (known !== undefined || sessions.has(connection)) return known
  const columns = isWire(connection) ? new Map<string, Read[]>() : undefined
  sessions.set(connection, columns)
  return columns
}

function isWire(wire: Partial<Wire>): boolean {
  return (
    SPOKEN.every(word => typeof wire[word] === 'function') &&
    typeof wire.parsedStatements === 'object' &&
    typeof wire.stream?.cork === 'function'
  )
}

function asTexts(values: unknown[]): (string | null)[] | undefined {
  const texts: (string | null)[] = []
  for (const value of values) {
    const text = Array.isArray(value) ? asList(value) : asText(value)
    if (text === undefined) return undefined
    texts.push(text)
  }
  return texts
}

function asText(value: unknown): string | null | undefined {
  if (value === null || typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : undefined
}

/** An array of values as the server reads one: `{1,2}`. */
function asList(values: unknown[]): string | undefined {
  const items: string[] = []
  for (const value of values) {
    const text = asText(value)
    if (text === undefined) return undefined
    items.push(typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : (text ?? 'NULL'))
  }
  return `{${items.join(',')}}`
}
