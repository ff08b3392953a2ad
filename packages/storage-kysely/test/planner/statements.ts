import type { Storage } from '@tillkit/storage'
import { type Expect, storageConformance } from '@tillkit/storage/conformance'
import type { CompiledQuery } from 'kysely'
import { eagerStorage } from '../counts/counting-storage.ts'
import { hostDatabaseAt, storageAt } from '../engines/address.ts'
import type { Engine } from '../engines/engine.ts'

/** A statement of the store, with values that it was sent with. */
export interface Statement {
  sql: string
  /** Those that ask for what the merchant called `merchantId` has. */
  parameters: readonly unknown[]
  /** Those that were sent. */
  sent: readonly unknown[]
}

export interface Sent {
  statements: Statement[]
  /** The methods of the port that sent them: `payments.start` and so on. */
  methods: Set<string>
}

/** How often one text is kept, and lists that differ in their length alone. */
const SAMPLES = 3

/**
 * Every statement that the store sends while it passes the conformance suite, so that one that is added later is among
 * them. They ask for the payments of the merchant called `merchantId`, whosoever's they were.
 */
export async function statementsOf(
  { create }: Pick<Engine, 'create'>,
  merchantId: string,
  expect: Expect,
): Promise<Sent> {
  const { address, drop } = await create()
  const owner = storageAt(address)
  await owner.migrate()
  await owner.close()

  const merchants = new Set<unknown>()
  const samples = new Map<string, Statement[]>()
  const note = ({ sql, parameters }: CompiledQuery) => {
    if (!sql.includes('tillkit_')) return
    const kept = samples.get(formOf(sql)) ?? []
    samples.set(formOf(sql), kept)
    const sent = parameters.map(plain)
    // Those that a claim leaves out stay who they were: it walks over whatever they have due.
    if (/merchant_id[`"]? (<> all|not in)/.test(sql)) {
      if (kept.length < SAMPLES) kept.push({ sql, sent, parameters: sent })
      return
    }
    const places = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(places)
      // What has no lists is sent them as JSON.
      if (typeof value === 'string' && value.startsWith('[['))
        return JSON.stringify(places(JSON.parse(value)))
      return merchants.has(value) ? merchantId : value
    }
    if (kept.length < SAMPLES) kept.push({ sql, sent, parameters: sent.map(places) })
  }
  // What an engine refuses it has not planned.
  const db = hostDatabaseAt(address, ({ level, query }) => {
    if (level === 'query') note(query)
  })
  const methods = new Set<string>()
  const storage = noting(eagerStorage(db, address.dialect, 2), (method, [given]) => {
    methods.add(method)
    if (method === 'merchants.create') merchants.add((given as { id: string }).id)
  })

  const bodies: (() => Promise<void>)[] = []
  const runner = {
    expect,
    describe: (_: string, body: () => void) => body(),
    test: (_: string, body: () => Promise<void>) => void bodies.push(body),
  }
  storageConformance(runner, async () => ({ storage, close: async () => {} }))
  try {
    for (const body of bodies) await body()
  } finally {
    await db.destroy()
    await drop()
  }
  return { statements: [...samples.values()].flat(), methods }
}

/** A text without the lengths of its lists: of values, of tuples, and of keys that are named one by one. */
function formOf(sql: string): string {
  return sql
    .replace(/\$\d+/g, '?')
    .replace(/\((\?|, )+\)/g, '(?)')
    .replace(/(\([^()]*\))( or \1)+/g, '$1')
}

/** A text that is written in hexadecimal digits, as it was. */
export function plain(value: unknown): unknown {
  const written = (value as { toSqlString?(): string } | null)?.toSqlString?.()
  return written === undefined
    ? value
    : Buffer.from(written.slice("_utf8mb4 X'".length, -1), 'hex').toString()
}

/** A storage that tells of every call. */
function noting(storage: Storage, note: (method: string, given: unknown[]) => void): Storage {
  const told = (name: string, part: unknown): unknown => {
    if (typeof part === 'function') {
      return (...given: unknown[]) => {
        note(name, given)
        return part(...given)
      }
    }
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, told(`${name}.${key}`, one)]))
  }
  return Object.fromEntries(
    Object.entries(storage).map(([key, part]) => [key, told(key, part)]),
  ) as unknown as Storage
}

/** The names of all methods of a storage. */
export function methodsOf(storage: Storage): string[] {
  return Object.entries(storage).flatMap(([key, part]) => {
    if (typeof part === 'function') return [key]
    return typeof part === 'object' ? Object.keys(part).map(name => `${key}.${name}`) : []
  })
}
