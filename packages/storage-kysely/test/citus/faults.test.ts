import { setTimeout as sleep } from 'node:timers/promises'
import { CommitUnknownError, DatabaseError, type Storage } from '@tillkit/storage'
import { expect, test } from 'vitest'
import { askCitus, createOnCitus } from '../engines/citus.ts'
import { overCitus } from '../engines/over-citus.ts'
import { attempt, NOW } from '../faults/shop.ts'

const SHOPS = Array.from({ length: 8 }, (_, n) => `shop-${n}`)
const ALL = { skip: 0, limit: 100_000 }
const LEASE = { now: NOW, leaseUntil: '2099-01-01T00:00:00.000Z', limit: 20 }

/** What shops and a worker were told, until they are stopped. */
interface Told {
  started: Map<string, number[]>
  completed: Map<string, number[]>
  delivered: Map<string, number[]>
  unknown: number
  errors: unknown[]
}

function work(storage: Storage): { told: Told; stop: () => Promise<void> } {
  const none = () => new Map(SHOPS.map(shop => [shop, [] as number[]]))
  const told: Told = { started: none(), completed: none(), delivered: none(), unknown: 0, errors: [] }
  let stopped = false
  const until = async (step: () => Promise<unknown>) => {
    while (!stopped) {
      await step().catch(error => {
        if (error instanceof CommitUnknownError) told.unknown += 1
        told.errors.push(error)
        return sleep(50)
      })
    }
  }
  const pay = (shop: string) => async () => {
    const { payment } = await storage.payments.start(attempt({ merchantId: shop }), NOW)
    told.started.get(shop)?.push(payment.id)
    await storage.payments.resolve(payment, { status: 'completed' }, NOW)
    told.completed.get(shop)?.push(payment.id)
  }
  const deliver = async () => {
    const claimed = await storage.deliveries.claim(LEASE)
    const results = claimed.map(({ merchantId, paymentId, fence }) => ({
      ...{ merchantId, paymentId, fence, state: 'delivered' as const, nextAttemptAt: null },
      attempt: { at: NOW, status: 200, milliseconds: 1, error: null, answer: null },
    }))
    await Promise.all(
      results.map(async result => {
        const { merchantId, paymentId } = result
        if (await storage.deliveries.record(result)) told.delivered.get(merchantId)?.push(paymentId)
      }),
    )
    if (claimed.length === 0) await sleep(50)
  }
  const lanes = [...SHOPS.map(shop => until(pay(shop))), until(deliver), until(deliver)]
  return {
    told,
    async stop() {
      stopped = true
      await Promise.all(lanes)
    },
  }
}

/** Has shops at work while `disturb` does its worst, and counts everything again. */
async function survives(disturb: (schema: string, told: Told) => Promise<void>): Promise<Told> {
  const { storage, schema, drop } = await createOnCitus()
  try {
    for (const id of SHOPS) {
      const features = { tips: false, userReferences: false, deviceLists: false }
      const webhookUrl = 'https://shop.example/hook'
      await storage.merchants.create({ id, name: id, webhookUrl, features, createdAt: NOW })
    }
    const { told, stop } = work(storage)
    await disturb(schema, told).finally(stop)
    for (const shop of SHOPS) {
      const { items, total } = await storage.payments.list(shop, {}, ALL)
      const ids = items.map(({ id }) => id).reverse()
      expect(ids).toEqual(Array.from({ length: total }, (_, n) => n + 1))
      expect(ids).toEqual(expect.arrayContaining(told.started.get(shop) ?? []))
      const completed = items.filter(({ status }) => status === 'completed').map(({ id }) => id)
      expect(completed).toEqual(expect.arrayContaining(told.completed.get(shop) ?? []))
      // One delivery for each outcome, and none without.
      expect((await storage.deliveries.list(shop, undefined, ALL)).total).toBe(completed.length)
      const delivered = (await storage.deliveries.list(shop, 'delivered', ALL)).items
      expect(delivered.map(({ paymentId }) => paymentId)).toEqual(
        expect.arrayContaining(told.delivered.get(shop) ?? []),
      )
    }
    for (const error of told.errors) expect(error).toBeInstanceOf(DatabaseError)
    return told
  } finally {
    await drop()
  }
}

const lengthOf = (ids: Map<string, number[]>) => [...ids.values()].flat().length
const started = ({ started }: Told) => lengthOf(started)

overCitus(() => {
  test('shards are moved from worker to worker while shops write', async () => {
    const told = await survives(async schema => {
      const shards = `select distinct on (s.shardid) s.shardid, s.nodename, s.nodeport, o.nodename as to_name, o.nodeport as to_port
        from citus_shards as s
        join pg_class as c on c.oid = s.table_name::oid and c.relname = 'tillkit_payments'
        join pg_dist_node as o on o.shouldhaveshards and (o.nodename, o.nodeport) <> (s.nodename, s.nodeport)
        where c.relnamespace = '"${schema}"'::regnamespace order by s.shardid limit 2`
      for (const one of await askCitus(shards)) {
        const { shardid, nodename, nodeport, to_name, to_port } = one
        await askCitus(`select citus_move_shard_placement(${shardid}, '${nodename}', ${nodeport},
          '${to_name}', ${to_port}, shard_transfer_mode => 'block_writes')`)
      }
    })
    expect(started(told)).toBeGreaterThan(0)
    expect(lengthOf(told.delivered)).toBeGreaterThan(0)
  })

  test('shards are split while shops write', async () => {
    const told = await survives(async (schema, so) => {
      for (const shop of SHOPS.slice(0, 4)) {
        const before = started(so)
        while (started(so) < before + 100) await sleep(20)
        await askCitus(`select isolate_tenant_to_new_shard('"${schema}".tillkit_merchants', '${shop}',
          'cascade', shard_transfer_mode => 'block_writes')`)
      }
    })
    expect(lengthOf(told.delivered)).toBeGreaterThan(0)
  })

  test('sessions of the workers are ended while shops write', async () => {
    const told = await survives(async (schema, so) => {
      for (let n = 0; n < 5; n++) {
        const before = started(so)
        while (started(so) < before + 20) await sleep(20)
        const ours = await askCitus(`select pid from pg_stat_activity where application_name = '${schema}'`)
        // Those that came straight have our name; the others tell whose they are: the coordinator's node, and there the process.
        await askCitus(`select run_command_on_workers($$select count(pg_terminate_backend(pid)) from pg_stat_activity
          where application_name = '${schema}' or case when application_name like 'citus_internal%'
          then right(application_name, 10)::bigint in (${ours.map(({ pid }) => pid)}) end$$)`)
      }
    })
    expect(started(told)).toBeGreaterThan(100)
  })
})
