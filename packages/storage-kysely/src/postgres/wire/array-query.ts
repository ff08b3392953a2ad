import { AS_ARRAYS } from './row-form.ts'

/** The part of pg's `Connection` that a query of one's own speaks through. */
export interface Wire {
  /** The text of each statement that the session has prepared, by its name. */
  readonly parsedStatements: Record<string, string>
  readonly stream: { cork(): void; uncork(): void }
  parse(statement: { name: string; text: string }): void
  bind(portal: { statement: string; values: readonly (string | null)[] }): void
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

/** What is sent, with its values as texts. */
interface Statement<Value = unknown> {
  /** That of one text alone; left out for one that the session is not to keep. */
  name: string | undefined
  text: string
  values: readonly Value[]
}

/** How statements are sent. */
interface Way {
  /** What is sent with them. */
  around?: Around | undefined
  /** How many the session is to keep. */
  most?: number | undefined
}

/** What statements came to. */
interface ArrayAnswer {
  /** Of all of them, one after another. */
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

type Sent = Statement<string | null>

/**
 * Prepared statements with arrays for rows, as a query class of one's own that pg takes (`submit`): as pg's, but the server is
 * asked once a session what the columns are. It would say the same each time, and refuses a statement whose columns have
 * changed; to say it, and to hear it, costs a sixth of a short read. Several go in one message and so, by themselves, in one transaction.
 */
export class ArrayQuery {
  /** Set by pg. */
  callback: Answered | undefined
  readonly #statements: Sent[]
  readonly #kept: Kept
  readonly #around: Around
  readonly #most: number
  /** How many statements are done, those that come before among them. */
  #ended = 0
  readonly #rows: unknown[][] = []
  #read: Read[] = []
  #command = ''
  #rowCount: number | null = null

  /** `kept` are the statements of its session. */
  constructor(statements: Sent[], { around = ALONE, most = MOST }: Way, kept: Kept) {
    this.#statements = statements
    this.#kept = kept
    this.#around = around
    this.#most = most
  }

  /** The statement that the server is at; undefined while that is one that comes before or after. */
  get #current(): Sent | undefined {
    return this.#statements[this.#ended - this.#around.before.length]
  }

  /** By which pg remembers what the server says that it has parsed: what comes before has none. */
  get name(): string | undefined {
    return this.#current?.name
  }

  /** That of the first before and after them, for whoever watches what is sent. */
  get text(): string {
    return (this.#current ?? this.#statements[0])?.text ?? ''
  }

  /** Called by pg at its turn. What it returns is the answer. */
  submit(wire: Wire): Error | null {
    for (const { name = '', text } of this.#statements) {
      const prepared = wire.parsedStatements[name]
      if (prepared !== undefined && prepared !== text) return new Error(`${name} is another statement's name`)
    }
    wire.stream.cork()
    try {
      this.#keep(wire)
      for (const text of this.#around.before) sendBeside(wire, text)
      this.#send(wire)
      for (const text of this.#around.after) sendBeside(wire, text)
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
    this.#read = this.#known()
    return null
  }

  /**
   * In the same message as all else: that others are gone is nothing to wait for. It comes before all else, since after an error the server
   * hears of nothing more.
   */
  #keep(wire: Wire): void {
    const kept = this.#kept
    for (const { name } of this.#statements) {
      if (name === undefined) continue
      const read = wire.parsedStatements[name] === undefined ? undefined : kept.get(name)
      kept.delete(name)
      kept.set(name, read)
    }
    const most = Math.max(this.#most, this.#statements.length)
    for (const oldest of kept.keys()) {
      if (kept.size <= most) break
      kept.delete(oldest)
      delete wire.parsedStatements[oldest]
      wire.close({ type: 'S', name: oldest })
    }
  }

  #send(wire: Wire): void {
    let parsed: Set<string> | undefined
    for (const { name = '', text, values } of this.#statements) {
      if (wire.parsedStatements[name] === undefined && !parsed?.has(name)) {
        wire.parse({ name, text })
        if (name !== '') parsed = (parsed ?? new Set()).add(name)
      }
      wire.bind({ statement: name, values })
      if (!this.#kept.get(name)) wire.describe({ type: 'P', name: '' })
      wire.execute({ portal: '' })
    }
  }

  /** How the columns of the statement that comes now are read, as far as that is known. */
  #known(): Read[] {
    const name = this.#current?.name
    return (name !== undefined && this.#kept.get(name)) || []
  }

  handleRowDescription({ fields }: { fields: { dataTypeID: number }[] }): void {
    const { name } = this
    this.#read = fields.map(({ dataTypeID }) => AS_ARRAYS.types.getTypeParser(dataTypeID))
    if (name !== undefined) this.#kept.set(name, this.#read)
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
    if (this.#current) {
      const [command = '', ...numbers] = text.split(' ')
      const last = numbers.at(-1)
      this.#command = command
      if (last !== undefined) this.#rowCount = (this.#rowCount ?? 0) + Number(last)
    }
    this.#ended += 1
    this.#read = this.#known()
  }

  handleReadyForQuery(): void {
    this.callback?.(null, { rows: this.#rows, rowCount: this.#rowCount, command: this.#command })
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
  statements: Statement[],
  way: Way = {},
): ArrayQuery | undefined {
  if (pipeline || connection === undefined) return undefined
  const kept = keptBy(connection)
  if (kept === undefined) return undefined
  const sent: Sent[] = []
  for (const { name, text, values } of statements) {
    const texts = asTexts(values)
    if (texts === undefined) return undefined
    sent.push({ name, text, values: texts })
  }
  return new ArrayQuery(sent, way, kept)
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

function asTexts(values: readonly unknown[]): (string | null)[] | undefined {
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
