import { memoryStorage } from '@tillkit/storage/memory'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Layout } from '../../src/index.ts'
import type { Engine } from '../engines/engine.ts'
import { BIG } from './fill.ts'
import { type FilledDatabase, openFilled } from './filled-database.ts'
import { meterOf } from './meter-of.ts'
import { SCENES } from './scenes.ts'
import { methodsOf, type Sent, type Statement, statementsOf } from './statements.ts'
import type { Meter, PlanMode } from './work.ts'

const SIZE = { big: 12_000, small: 6000, backlog: 12_000 }

/** As much again for each partition: of a small one a planner expects that it costs less to read it whole. */
const sizeIn = ({ partitions = 1 }: Layout) => ({ ...SIZE, small: SIZE.small * partitions })

/**
 * How much may be looked at for nothing, and for each row that is answered, changed or counted: a planner rightly reads a
 * small table whole rather than look into its index many times.
 */
const BASE = 1000
const EACH = 50

/** Statements that look at more, where an engine leaves no choice. */
const KNOWN: { engine?: string; sql: RegExp; why: string }[] = [
  {
    sql: /auth_code[`"]? = /,
    why: 'no index has the codes: a statement seldom names a payment by one alone, and every start would write it',
  },
  {
    sql: /from ["`]tillkit_ledgers["`] where ["`]last_date["`] >= /,
    why: 'what was taken of all merchants asks each of them: an index of last dates would be written with every payment',
  },
  {
    engine: 'SQLite',
    sql: /where ["`]tillkit_payment_sums["`]\.["`]last_date["`] >= /,
    why: 'blocks of all merchants are found by a date alone, the first column of their index',
  },
  {
    sql: /max\(["`]tillkit_payment_sums["`]\.["`]last_id["`]\)/,
    why: 'and looks at an entry for each block, of which there is one for a thousand payments',
  },
  {
    sql: /tillkit_migrations|["`](suspended_at|webhook_key)["`] is not null$|substr\(webhook_key/,
    why: 'an inspection counts what is few beside payments, when a person asks',
  },
  {
    sql: /^select count\(\*\) as ["`]total["`] from ["`]tillkit_merchants["`]$|^select ["`]id["`] from ["`]tillkit_merchants["`] order by ["`]id["`] limit .* offset /,
    why: 'and takes a merchant at random to begin with',
  },
  {
    engine: 'PostgreSQL',
    sql: /from pg_index as x join pg_class/,
    why: 'the catalog is of the whole database, whatever else is in it',
  },
  {
    sql: /and \(case when state = 'delivered' then true else false end\) order by/,
    why: 'what is delivered is found along the ids, past what waits: an index of it would be written with every webhook',
  },
  {
    engine: 'MariaDB',
    sql: /and \(status = 'pending' or status = 'error'\) order by `id` limit/,
    why: 'a walk by several statuses goes along the key, once: no index is in order over two of its runs',
  },
  {
    engine: 'MySQL',
    sql: /from `tillkit_deliveries` where `state` = 'pending' .* and `merchant_id` = \? (order|limit)/,
    why: 'what is due for one merchant alone, as a sandbox asks, is found among all that is due or all that is his',
  },
  {
    engine: 'PostgreSQL',
    sql: /from "tillkit_settlements" where "statement_reference" in \(\$1\) group by/,
    why: 'where one statement paid all merchants of a partition, a plan for any statement reads that partition',
  },
  {
    engine: 'PostgreSQL',
    sql: /"date" >= .* limit .* and "id" <= "ends"."last" and "\w+" = \$/,
    why: 'with dates, an exact filter may be looked for in the run of ids that they are: as many as the dates hold',
  },
]

/** Tests that no statement of the store looks at much more than it answers, whatever statistics say. */
export function plansAreSteady(engine: Engine, layout: Layout = {}): void {
  let sent: Sent
  let filled: FilledDatabase

  beforeAll(async () => {
    sent = await statementsOf(engine, BIG, expect)
    filled = await openFilled(engine, sizeIn(layout), layout)
  }, 900_000)
  afterAll(() => filled?.close())

  /** What a statement did that looked at more than it may; undefined where it did not. */
  async function excess(meter: Meter, statement: Statement): Promise<string | undefined> {
    // What is there already cannot be inserted again: then for the merchant that it was sent for.
    const asSent = { ...statement, parameters: statement.sent }
    const work = await meter.measure(statement).catch(() => meter.measure(asSent))
    if (work.touched <= BASE + EACH * work.answered) return undefined
    if (KNOWN.some(known => (known.engine ?? engine.name) === engine.name && known.sql.test(statement.sql)))
      return undefined
    return `${work.touched} for ${work.answered}\n${statement.sql}\n${work.plan}`
  }

  test('the conformance suite calls every method of the port', () => {
    expect(methodsOf(memoryStorage()).filter(name => !sent.methods.has(name))).toEqual([])
  })

  const modes: PlanMode[] =
    engine.name === 'PostgreSQL' ? ['custom', 'generic', 'custom, by index', 'generic, by index'] : ['custom']
  describe.each(SCENES)('$name', scene => {
    test.each(modes)(
      'no statement looks at much more than it answers, by plans that are %s',
      { timeout: 900_000 },
      async mode => {
        await filled.reach(scene)
        const meter = await meterOf(filled.address, mode)
        try {
          const found = []
          for (const statement of sent.statements) found.push(await excess(meter, statement))
          expect(found.filter(one => one !== undefined)).toEqual([])
        } finally {
          await meter.close()
        }
      },
    )
  })
}
