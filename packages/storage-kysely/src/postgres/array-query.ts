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

/** How the columns of a session's prepared statements are read. */
const columns = new WeakMap<Wire, Map<string, Read[]>>()

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
  readonly #rows: unknown[][] = []
  #wire: Wire | undefined
  #read: Read[] = []
  #done = ''

  constructor(name: string, text: string, values: (string | null)[]) {
    this.name = name
    this.text = text
    this.#values = values
  }

  /** Called by pg at its turn. What it returns is the answer. */
  submit(wire: Wire): Error | null {
    const { name, text } = this
    const prepared = wire.parsedStatements[name]
    if (prepared !== undefined && prepared !== text) return new Error(`${name} is another statement's name`)
    const read = prepared === undefined ? undefined : columns.get(wire)?.get(name)
    this.#wire = wire
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
    if (this.#wire === undefined) return
    const known = columns.get(this.#wire) ?? new Map()
    columns.set(this.#wire, known.set(this.name, this.#read))
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
  if (name === undefined || pipeline || !isWire(connection)) return undefined
  const texts = asTexts(values)
  return texts && new ArrayQuery(name, text, texts)
}

function isWire(connection: object | undefined): boolean {
  const wire = connection as Partial<Wire> | undefined
  return (
    SPOKEN.every(word => typeof wire?.[word] === 'function') &&
    typeof wire?.parsedStatements === 'object' &&
    typeof wire.stream?.cork === 'function'
  )
}

function asTexts(values: unknown[]): (string | null)[] | undefined {
  const texts: (string | null)[] = []
  for (const value of values) {
    if (value === null || typeof value === 'string') texts.push(value)
    else if (typeof value === 'number' || typeof value === 'boolean') texts.push(`${value}`)
    else return undefined
  }
  return texts
}
