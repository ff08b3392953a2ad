import { setImmediate } from 'node:timers/promises'
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { merchantNodes } from '../../../src/citus/nodes/merchant-nodes.ts'
import type { Tables } from '../../../src/schema/tables.ts'
import type { Reads } from '../../../src/session/session.ts'

const builder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** A coordinator as it answers: a merchant's shard 7 is at one of two nodes, whose group is the last digit of its port. */
function coordinator() {
  const layout = { at: 5001, nodes: [5001, 5002] }
  const answers = { held: Promise.resolve() }
  const read = {
    async all({ sql }: CompiledQuery) {
      if (!sql.includes('get_shard_id_for_distribution_column')) return []
      const found = [['shop', 'node', layout.at, true, 7, layout.at % 10]]
      await answers.held
      return found
    },
    async first() {
      const names = layout.nodes.map(port => `node ${port} true`)
      return [JSON.stringify(layout), names.join(',')]
    },
  }
  const known = merchantNodes(builder, read as unknown as Reads)
  /** Asks as a call does that comes a while later, and has the answers come in. */
  const later = async () => {
    const now = performance.now() + 1500
    vi.spyOn(performance, 'now').mockReturnValue(now)
    known.nodeOf('shop')
    for (let n = 0; n < 20; n++) await setImmediate()
    return known.certainNodeOf('shop')
  }
  return { layout, answers, known, later }
}

/** What is known of where merchants are lasts until the coordinator says otherwise, and no longer. */
afterEach(() => vi.restoreAllMocks())

test('a node that has left is not certain any more, for what is on its way there either', async () => {
  const { layout, known, later } = coordinator()
  await later()
  const node = await later()
  expect(node).toMatchObject({ host: 'node', port: 5001 })
  Object.assign(layout, { at: 5002, nodes: [5002] })
  await later()
  expect(node && known.isCertain(node)).toBe(false)
  expect(await later()).toMatchObject({ port: 5002 })
})

test('an answer from before a shard was moved is not kept', async () => {
  const { layout, answers, later } = coordinator()
  let goOn = () => {}
  answers.held = new Promise(resolve => {
    goOn = resolve
  })
  await later()
  layout.at = 5002
  expect(await later()).toBeUndefined()
  goOn()
  await later()
  expect(await later()).toMatchObject({ port: 5002 })
})

test('a shard that was moved is known by the node that has it now', async () => {
  const { layout, known, later } = coordinator()
  await later()
  await later()
  expect(known.shardOf('shop')).toMatchObject({ id: 7, group: 1 })
  layout.at = 5002
  await later()
  await later()
  expect(known.shardOf('shop')).toMatchObject({ id: 7, group: 2 })
})
