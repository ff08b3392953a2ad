import { AS_ARRAYS } from './array-form.ts'

/** The part of pg's `Connection` that a query of one's own speaks through. */
export interface Wire {
  /** The text of each statement that the session has prepared, by its name. */
  readonly parsedStatements: Record<string, string>
  readonly stream: { cork(): void; uncork(): void }
  parse(statement: { name: string; text: string }): void
  bind(portal: { statement: string; values: (string | null)[] }): void
  describe(what: { type: 'P'; name: string }): void
  execute(portal: { portal: string }): void
  close(what: { type: 'S'; name: string }): void
  sync(): void
}

/** Statements that answer no rows, in the same message as another and so, by themselves, in one transaction with it. */
export interface Around {
  before: string[]
  after: string[]
}

const ALONE: Around = { before: [], after: [] }

/** How a statement is sent. */
interface Statement {
  /** Left out for one that the session is not to keep. */
  name: string | undefined
  text: string
  /** What is sent with it. */
  around?: Around | undefined
  /** How many the session is to keep. */
  most?: number | undefined
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

const SPOKEN = ['parse', 'bind', 'describe', 'execute', 'close', 'sync'] as const

/** How many a session keeps, unless it is told another number: what merchants may filter by has a thousand forms, each with a plan of a quarter of a megabyte. */
const MOST = 100

/** A session's prepared statements by their names, that not used for the longest first: how their columns are read, once that is known. */
type Kept = Map<string, Read[] | undefined>

/** Undefined where it is not spoken so. */
const sessions = new WeakMap<object, Kept | undefined>()

/**
 * A prepared statement with arrays for rows, as a query class of one's own that pg takes (`submit`): as pg's, but the server is
 * asked once a session what the columns are. It would say the same each time, and refuses a statement whose columns have
 * changed; to say it, and to hear it, costs a sixth of a short read.
 */
export class ArrayQuery {
  readonly text: string
  /** Set by pg. */
  callback: Answered | undefined
  readonly #name: string | undefined
  readonly #values: (string | null)[]
  readonly #kept: Kept
  readonly #around: Around
  readonly #most: number
  #ended = 0
  readonly #rows: unknown[][] = []
  #read: Read[] = []
  #done = ''

  /** `values` are the statement's as texts, `kept` are the statements of its session. */
  constructor({ name, text, around = ALONE, most = MOST }: Statement, values: (string | null)[], kept: Kept) {
    this.#name = name
    this.text = text
    this.#values = values
    this.#kept = kept
    this.#around = around
    this.#most = most
  }

  /** By which pg remembers what the server says that it has parsed: what comes before it has none. */
  get name(): string | undefined {
    return this.#ended < this.#around.before.length ? undefined : this.#name
  }

  /** Called by pg at its turn. What it returns is the answer. */
  submit(wire: Wire): Error | null {
    const { text } = this
    const name = this.#name ?? ''
    const prepared = wire.parsedStatements[name]
    if (prepared !== undefined && prepared !== text) return new Error(`${name} is another statement's name`)
    const read = prepared === undefined ? undefined : this.#kept.get(name)
    wire.stream.cork()
    try {
      this.#keep(wire, read)
      for (const text of this.#around.before) sendBeside(wire, text)
      if (prepared === undefined) wire.parse({ name, text })
      wire.bind({ statement: name, values: this.#values })
      if (read) this.#read = read
      else wire.describe({ type: 'P', name: '' })
      wire.execute({ portal: '' })
      for (const text of this.#around.after) sendBeside(wire, text)
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
    return null
  }

  /** In the same message as all else: that it is gone is nothing to wait for. */
  #keep(wire: Wire, read: Read[] | undefined): void {
    if (this.#name === undefined) return
    const kept = this.#kept
    kept.delete(this.#name)
    kept.set(this.#name, read)
    const oldest = kept.size > this.#most ? kept.keys().next().value : undefined
    if (oldest === undefined) return
    kept.delete(oldest)
    delete wire.parsedStatements[oldest]
    wire.close({ type: 'S', name: oldest })
  }

  handleRowDescription({ fields }: { fields: { dataTypeID: number }[] }): void {
    this.#read = fields.map(({ dataTypeID }) => AS_ARRAYS.types.getTypeParser(dataTypeID))
    if (this.#name !== undefined) this.#kept.set(this.#name, this.#read)
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
    if (this.#ended === this.#around.before.length) this.#done = text
    this.#ended += 1
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

function sendBeside(wire: Wire, text: string): void {
  wire.parse({ name: '', text })
  wire.bind({ statement: '', values: [] })
  wire.execute({ portal: '' })
}

/** The query, where the client speaks so, and for values that it is plain how to write; undefined elsewhere. */
export function arrayQuery(
  { connection, pipeline }: { connection?: object; pipeline?: boolean },
  statement: Statement & { values: unknown[] },
): ArrayQuery | undefined {
  if (pipeline || connection === undefined) return undefined
  const kept = keptBy(connection)
  const texts = kept && asTexts(statement.values)
  return texts && new ArrayQuery(statement, texts, kept)
}

function keptBy(connection: object): Kept | undefined {
  const known = sessions.get(connection)
  if (known !== undefined || sessions.has(connection)) return known
  const kept: Kept | undefined = isWire(connection) ? new Map() : undefined
  sessions.set(connection, kept)
  return kept
}

/** Has a client prepare every statement anew, its own too, when it is next sent. */
export function forgetStatements(connection: { parsedStatements?: Record<string, string> } = {}): void {
  const { parsedStatements = {} } = connection
  for (const name of Object.keys(parsedStatements)) delete parsedStatements[name]
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
