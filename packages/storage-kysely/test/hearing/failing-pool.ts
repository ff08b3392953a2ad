import type { PgClient, PgPool } from '../../src/postgres/index.ts'

/** A host's pool of one connection, whose server answers the first statement of Tillkit's with an error and all others well. */
export interface FailingPool extends PgPool {
  /** How often a statement of Tillkit's was sent. */
  sent: number
  /** Whether the connection was ended rather than given back. */
  ended: boolean
}

const SESSION = {
  encoding: 'UTF8',
  nulls: 'on',
  least: 'notice',
  distributed: false,
  dates: 'ISO, MDY',
  atNodes: null,
  hidden: null,
  place: null,
}
const WELL = { id: '1', date: '1763631000.000000', ...SESSION }

export function failingPool(error: {
  code: string
  severity: string
  message: string
  routine?: string
}): FailingPool {
  const client: PgClient = {
    async query({ text, values, rowMode }) {
      const isTillkits = /tillkit_(payments|ledgers)/.test(text) && !text.includes('client_encoding')
      if (isTillkits && pool.sent++ === 0) {
        throw Object.assign(new Error(error.message), error)
      }
      return {
        command: 'SELECT',
        rowCount: 1,
        rows: !isTillkits || values.length > 1 ? [rowMode ? [WELL.id, WELL.date] : WELL] : [],
      } as Awaited<NonNullable<ReturnType<PgClient['query']>>>
    },
    release(destroy) {
      if (destroy) pool.ended = true
    },
  }
  const pool: FailingPool = { sent: 0, ended: false, connect: async () => client, end: async () => {} }
  return pool
}
