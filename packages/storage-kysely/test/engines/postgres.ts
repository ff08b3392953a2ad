import { isLeftOver, type OwnServer, ownPostgres, placeName } from '@tillkit/servers'
import { CompiledQuery, sql } from 'kysely'
import pg from 'pg'
import type { Access, Engine } from './engine.ts'

const GIVEN = process.env.TILLKIT_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test'

async function run(connectionString: string, statement: string): Promise<void> {
  await rowsOf(connectionString, statement)
}

async function rowsOf(connectionString: string, statement: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Drops what tests left behind that were killed. */
async function sweep(connectionString: string): Promise<void> {
  const left = await rowsOf(
    connectionString,
    `select 'schema' as kind, nspname as name from pg_namespace
      union all select 'database', datname from pg_database
      union all select 'role', rolname from pg_roles`,
  )
  for (const { kind = '', name = '' } of left) {
    if (!isLeftOver(name)) continue
    const drop = `drop ${kind} if exists "${name}"${kind === 'schema' ? ' cascade' : ''}`
    const owned = kind === 'role' ? `drop owned by "${name}"; ` : ''
    // Another process sweeps too.
    await run(connectionString, `${owned}${drop}`).catch(() => {})
  }
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: PlanNode[]
}

/** Every table that a plan reads. A bitmap's index is a node below its table's. */
function accessesOf(node: PlanNode, table = ''): Access[] {
  const own = node['Relation Name'] ?? table
  const below = (node.Plans ?? []).flatMap(plan => accessesOf(plan, own))
  if (node['Index Name'])
    return [{ table: own, index: node['Index Name'], by: node['Index Cond'] ?? '' }, ...below]
  const readsTable = node['Node Type'] === 'Seq Scan'
  return readsTable ? [{ table: own, index: null, by: '' }, ...below] : below
}

/** The server that is there, or one of the tests' own where none is. */
export async function postgresEngine(): Promise<Engine> {
  const answers = await sweep(GIVEN).then(
    () => true,
    () => false,
  )
  let own: OwnServer | undefined
  let unavailable: string | undefined
  if (!answers) {
    own = await ownPostgres().catch(error => {
      unavailable = `no server answers at ${GIVEN}, and none could be started: ${error?.message}`
      return undefined
    })
  }
  const connectionString = own?.url ?? GIVEN

  return {
    name: 'PostgreSQL',
    unavailable,
    close: async () => own?.remove(),

    async create({ apart } = { apart: false }) {
      const name = placeName()
      const place = (uri: string) => ({ dialect: 'postgres', connectionString: uri, schema: name }) as const
      if (!apart) {
        await run(connectionString, `create schema "${name}"`)
        return {
          address: place(connectionString),
          drop: () => run(connectionString, `drop schema "${name}" cascade`),
        }
      }
      await run(connectionString, `create database "${name}"`)
      const own = Object.assign(new URL(connectionString), { pathname: `/${name}` }).href
      await run(own, `create schema "${name}"`)
      return {
        address: place(own),
        drop: () => run(connectionString, `drop database "${name}" with (force)`),
      }
    },

    async analyze(db) {
      await sql`analyze`.execute(db)
    },

    async accesses(db, query) {
      const explain = CompiledQuery.raw(`explain (format json) ${query.sql}`, [...query.parameters])
      const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain)
      return rows.flatMap(row => accessesOf(row['QUERY PLAN'][0].Plan))
    },
  }
}
