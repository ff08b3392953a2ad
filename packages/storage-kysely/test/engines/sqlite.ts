import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery, sql } from 'kysely'
import type { Engine } from './engine.ts'

export const sqlite: Engine = {
  name: 'SQLite',

  async create() {
    const folder = await mkdtemp(join(tmpdir(), 'tillkit-'))
    return {
      address: { dialect: 'sqlite', file: join(folder, 'till.db') },
      drop: () => rm(folder, { recursive: true, force: true }),
    }
  },

  async analyze(db) {
    await sql`analyze`.execute(db)
  },

  async accesses(db, query) {
    const explain = CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters])
    const { rows } = await db.executeQuery<{ detail: string }>(explain)
    return rows
      .filter(({ detail }) => /^(SEARCH|SCAN) tillkit_/.test(detail))
      .map(({ detail }) => {
        const [, how, table = '', index, by = ''] =
          /^(SEARCH|SCAN) (\w+)(?: USING (?:COVERING )?INDEX (\w+))?(?: \((.*)\))?/.exec(detail) ?? []
        return { table, index: how === 'SEARCH' ? (index ?? null) : null, by }
      })
  },
}
