import type { CompiledQuery } from 'kysely'
import type { Connections, Execute } from '../../connections/connections.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { wantsArrays } from '../../session/statements/array-rows.ts'
import { type KeptPlan, type KeptPlans, withPlans } from '../../session/statements/kept-plan.ts'
import { merchantOf } from '../../session/statements/prepared.ts'
import { nameOfStatement } from '../../session/statements/statement-name.ts'
import { BRIEFLY } from '../functions/definition.ts'
import { asksToHold, holding, isNotHeld } from './held-here.ts'
import { MostUsed } from './most-used.ts'
import type { Shard, ShardNames } from './shard.ts'
import { formsAtShards } from './shard-form.ts'

/** How many plans of shards a session of a node keeps: of forty shards the three statements that are sent most, each of 150 kB. */
export const PLANS_AT_SHARDS = 128

/** How many texts are kept: one for each statement and each shard that it has been sent to. */
const MOST = 2000

interface TextAtShard {
  sql: string
  /** The name that its plan is kept by. */
  name: string
}

/** Two names of which the first may be the second one's schema, unless they are a function's. */
const NAMES = /("(?:[^"]|"")+")\."(?:[^"]|"")+"(?!\()/g

const READS = /^(?:select|with)\b/
const CHANGES = /\b(?:for (?:update|share|no key update|key share)|insert into|update|delete from)\b/

/**
 * Connections to a node, over which what reads one merchant's rows, or writes those of one or several in forms of its own, does so in the
 * tables of their shards, by a statement for each merchant. To the node those are tables like any: their statements are planned once for all,
 * where those of a distributed table are planned twice each time. A statement of them finds nothing once the shard is no more at the node, in
 * the same snapshot or by its lock; so where they find nothing, all is asked as it was. Of more such plans than a session is to keep it keeps
 * those that are used most.
 */
export function atShards(
  connections: Connections,
  dialect: Dialect,
  shardOf: (merchantId: string) => Shard | undefined,
): Connections {
  const texts = new Map<string, Map<number, TextAtShard | null>>()
  const kept = new MostUsed(PLANS_AT_SHARDS)
  let made = 0

  function textFor(shard: Shard, names: ShardNames, sql: string): TextAtShard | null {
    const known = texts.get(sql)?.get(shard.id)
    if (known !== undefined) return known
    if (made === MOST) {
      texts.clear()
      made = 0
    }
    made += 1
    const there = textAt(shard, names, sql)
    const text = there === null ? null : { sql: there, name: nameOfStatement(there) }
    const ofStatement = texts.get(sql) ?? new Map<number, TextAtShard | null>()
    texts.set(sql, ofStatement.set(shard.id, text))
    return text
  }

  function planOf(form: CompiledQuery): KeptPlan | undefined {
    const merchantId = wantsArrays(form) ? merchantOf(form) : undefined
    const shard = merchantId === undefined ? undefined : shardOf(merchantId)
    const text = shard?.names ? textFor(shard, shard.names, form.sql) : null
    if (!text) return undefined
    const { parameters } = dialect.bind?.(form) ?? form
    return { name: kept.use(text.name) ? text.name : undefined, text: text.sql, values: parameters }
  }

  function plansOf(query: CompiledQuery): KeptPlans | undefined {
    const changes = formsAtShards(query)
    const plans: KeptPlan[] = []
    for (const form of changes ?? [query]) {
      const plan = planOf(form)
      // A function that is there for all shards is called in less time than a change is planned in.
      if (!plan || (changes && plan.name === undefined)) return undefined
      plans.push(plan)
    }
    return { plans, byKeys: changes !== undefined, lockWait: plans.length > 1 ? BRIEFLY : undefined }
  }

  /** What a shard left behind where it was is dropped after a while. */
  const isElsewhere = (error: unknown) => dialect.isMissingTable(error) || isNotHeld(error)

  /** The call of a function passes those by. */
  const isOfOne = (error: unknown) => dialect.isLockWait(error) || dialect.isDuplicate(error)

  const asking =
    (execute: Execute): Execute =>
    async query => {
      const sent = plansOf(query)
      if (sent) {
        try {
          const answer = await execute(withPlans(query, sent))
          if (answer.rows.length > 0) return answer
        } catch (error) {
          const isCrowd = sent.plans.length > 1
          if (!isElsewhere(error) && !(isCrowd && isOfOne(error))) throw error
        }
      }
      return execute(query)
    }

  return {
    size: () => connections.size(),
    isFree: () => connections.isFree(),
    readTurns: connections.readTurns,
    hold: (deadline, work, limits) => connections.hold(deadline, execute => work(asking(execute)), limits),
    transact: (...given) => connections.transact(...given),
  }
}

/** The text for a shard's tables; null for a statement that is about any others, or changes or locks rows of a shard that it does not hold. */
function textAt(shard: Shard, { schema, tables }: ShardNames, sql: string): string | null {
  const holds = asksToHold(sql)
  if (!holds && (!READS.test(sql) || CHANGES.test(sql))) return null
  let isWhole = true
  const text = sql.replace(NAMES, (name, first) => {
    const there = tables.get(name)
    if (there === undefined && first === schema) isWhole = false
    return there ?? name
  })
  if (!isWhole || text === sql) return null
  if (holds) return holding(text, shard)
  return `select * from (${text}) as asked where exists (
    select from pg_catalog.pg_dist_placement where shardid = ${shard.id} and groupid = ${shard.group} and shardstate = 1)`
}
