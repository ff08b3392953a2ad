import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { postgresStorage } from '../../src/postgres/index.ts'
import { PATIENT } from '../engines/address.ts'
import { askCitus, createInPlain } from '../engines/citus.ts'
import { overCitus } from '../engines/over-citus.ts'
import { merchantId } from '../faults/shop.ts'
import { connectTo, otherThan, placeOf } from './place-of.ts'

const INDEX = 'tillkit_payments_dates'
const HELD_UP = `select from pg_stat_progress_create_index where phase = 'waiting for old snapshots'`

overCitus(() => {
  test('an index that the workers build is left alone by who migrates beside it', {
    timeout: 120_000,
  }, async () => {
    const { storage, connectionString, schema, drop } = await createInPlain('0005-payment-blocks')
    await storage.distribute()
    const asItIs = () =>
      askCitus(`select i.indexrelid as id, i.indisvalid as valid from pg_index as i join pg_class as c on c.oid = i.indexrelid
        where c.relname = '${INDEX}' and c.relnamespace = '"${schema}"'::regnamespace`)
    const node = await otherThan(0)
    const [worker, seer] = [await connectTo(connectionString, node), await connectTo(connectionString, node)]
    await worker.query('begin isolation level repeatable read')
    await worker.query('select 1')
    const one = storage.migrate()
    one.catch(() => {})
    const isHeldUp = async () => (await seer.query(HELD_UP)).rows.length > 0 && (await asItIs()).length > 0
    while (!(await isHeldUp())) await sleep(50)
    const begun = await asItIs()
    expect(begun).toMatchObject([{ valid: false }])
    // As if it took longer than its process could say.
    await askCitus(`update "${schema}".tillkit_migrations_lock set leased_until = '-infinity'`)
    const told: (string | null)[] = []
    const other = postgresStorage({ connectionString, ...PATIENT }, { schema })
    const beside = other.migrate({ onProgress: ({ index }) => told.push(index) })
    let isOver = false
    beside
      .catch(() => {})
      .finally(() => {
        isOver = true
      })
    while (told.filter(index => index === INDEX).length < 5 && !isOver) await sleep(50)
    expect(await asItIs()).toEqual(begun)
    await worker.query('rollback')
    await Promise.all([one, beside])
    expect(await asItIs()).toEqual(begun.map(index => ({ ...index, valid: true })))
    await Promise.all([worker, seer].map(session => session.end()))
    await other.close()
    await drop()
  })

  test('a table that somebody reads at one node is altered there without the writes of others waiting until they are through', {
    timeout: 120_000,
  }, async () => {
    const { storage, connectionString, schema, drop } = await createInPlain('0009-settlements')
    await storage.distribute()
    const { shard, ...node } = await placeOf(schema, merchantId)
    const [reader, seer] = [await connectTo(connectionString, node), await connectTo(connectionString, node)]
    const name = `"${schema}".tillkit_deliveries`
    const [held] =
      await askCitus(`select shardid as id from pg_dist_shard where logicalrelid = '${name}'::regclass
      and shardminvalue = (select shardminvalue from pg_dist_shard where shardid = ${shard})`)
    await reader.query('begin')
    await reader.query(`select from "${schema}".tillkit_deliveries_${held?.id}`)
    const migrated = storage.migrate()
    migrated.catch(() => {})
    const isWaiting = `select from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%${schema}%ADD COLUMN%'`
    while ((await seer.query(isWaiting)).rows.length === 0) await sleep(20)
    const writer = await connectTo(connectionString)
    await writer.query(`update ${name} set attempts = attempts + 1 where merchant_id = 'elsewhere'`)
    await reader.query('rollback')
    await migrated
    expect(await storage.migrated?.()).toBe(true)
    await Promise.all([reader, seer, writer].map(session => session.end()))
    await drop()
  })
})
