import pg from 'pg'
import type { Statement } from './statements.ts'
import { type Meter, median, type PlanMode, totalOf } from './work.ts'

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/** Descending an index and seeing whether a row is there take so many pages at most. */
const PAGES_A_ROW = 8

/**
 * What was looked at below a node. Entries of an index that its condition does not lead to are counted nowhere but in the
 * pages that they are on.
 */
function touchedBelow(node: PlanNode): number {
  const below = node.Plans ?? []
  const removed =
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)
  const isScan = /Scan$/.test(node['Node Type']) && !/^(CTE|Subquery|Function|Values)/.test(node['Node Type'])
  const rows = ((isScan ? node['Actual Rows'] : 0) + removed) * node['Actual Loops']
  const pages = pagesOf(node) - below.reduce((sum, one) => sum + pagesOf(one), 0)
  const own = isScan ? Math.max(rows, pages / PAGES_A_ROW) : rows
  return own + below.reduce((sum, one) => sum + touchedBelow(one), 0)
}

const pagesOf = (node: PlanNode) => node['Shared Hit Blocks'] + node['Shared Read Blocks']

function answeredBy(node: PlanNode): number {
  const own = node['Node Type'] === 'ModifyTable' ? (node.Plans?.[0]?.['Actual Rows'] ?? 0) : 0
  return Math.max(node['Actual Rows'], own)
}

function described(node: PlanNode, depth = 0): string {
  const place = [node['Relation Name'], node['Index Name'], node['Index Cond']].filter(Boolean).join(' ')
  const own = `${'  '.repeat(depth)}${node['Node Type']} ${place} (${node['Actual Rows']} rows, ${node['Actual Loops']} times)`
  return [own, ...(node.Plans ?? []).map(one => described(one, depth + 1))].join('\n')
}

export async function postgresMeter(
  { connectionString, schema }: { connectionString: string; schema: string },
  mode: PlanMode,
): Promise<Meter> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const [plans, byIndex] = mode.split(', ')
  await client.query(`set search_path = "${schema}"; set plan_cache_mode = force_${plans}_plan`)
  if (byIndex) await client.query('set enable_seqscan = off')

  /** Of the plan that a prepared statement has: `explain` of the text itself would plan for the values at hand. */
  const executed = ({ parameters }: Statement) =>
    parameters.length === 0 ? 'execute metered' : `execute metered (${parameters.map(literal).join(', ')})`

  return {
    async measure(statement) {
      const run = executed(statement)
      try {
        await client.query(`begin; prepare metered as ${statement.sql}`)
        const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `explain (analyze, buffers, timing off, format json) ${run}`,
        )
        const plan = rows[0]?.['QUERY PLAN'][0].Plan
        if (!plan) throw new Error('there is no plan')
        const counted = /count\(/.test(statement.sql) ? totalOf((await client.query(run)).rows) : 0
        return { touched: touchedBelow(plan), answered: answeredBy(plan) + counted, plan: described(plan) }
      } finally {
        await client.query('rollback')
        await client.query('deallocate all')
      }
    },
    async time(statement) {
      const run = executed(statement)
      try {
        await client.query(`prepare metered as ${statement.sql}`)
        return await median(() => client.query(`begin; ${run}; rollback`))
      } finally {
        await client.query('rollback')
        await client.query('deallocate all')
      }
    },
    close: () => client.end(),
  }
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.map(element).join(',')}}` : `${value}`)
}

const element = (value: unknown) => (typeof value === 'string' ? JSON.stringify(value) : `${value}`)
