import type { Storage } from '@tillkit/storage'
import pg from 'pg'
import { expect, test } from 'vitest'
import { postgresStorage } from '../../src/postgres/index.ts'
import { PATIENT } from '../engines/address.ts'
import { askCitus, createOnCitus } from '../engines/citus.ts'
import { overCitus } from '../engines/over-citus.ts'
import { attempt, NOW, openShop } from '../faults/shop.ts'

const SHOPS = Array.from({ length: 8 }, (_, n) => `shop-${n}`)
const LATER = '2099-01-01T00:00:00.000Z'
const PAGE_BYTES = 4096
const MEGABYTE = 1024 * 1024

/** The addresses of the nodes that have rows, with all else as in that of the coordinator. */
async function nodesOf(connectionString: string): Promise<string[]> {
  const nodes = await askCitus(
    `select nodename as host, nodeport::text as port from pg_dist_node where noderole = 'primary' and shouldhaveshards`,
  )
  return nodes.map(({ host, port }) => {
    const url = new URL(connectionString)
    url.host = `${host}:${port}`
    return url.href
  })
}

/** How many bytes each session of this name has to itself, as the node's own Linux says. */
async function bytesOf(connectionString: string, name: string): Promise<Map<number, number>> {
  const client = new pg.Client({ connectionString, application_name: 'memory' })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number; statm: string }>(
      `select pid, pg_read_file('/proc/' || pid || '/statm', 0, 100) as statm from pg_stat_activity where application_name = $1`,
      [name],
    )
    const bytes = rows.map(({ pid, statm }): [number, number] => {
      const [, resident = 0, shared = 0] = statm.split(' ').map(Number)
      return [pid, (resident - shared) * PAGE_BYTES]
    })
    return new Map(bytes)
  } finally {
    await client.end()
  }
}

const opened = {
  'a pool of its own': (connectionString: string) => ({ given: { connectionString }, end: async () => {} }),
  "a host's pool": (connectionString: string) => {
    const pool = new pg.Pool({ connectionString })
    return { given: { pool }, end: () => pool.end() }
  },
}

/** What a merchant's day comes to, for all of them. */
async function workOn({ payments, deliveries }: Storage, days: number): Promise<void> {
  for (let n = 0; n < days; n++) {
    for (const shop of SHOPS) {
      const { payment } = await payments.start(attempt({ merchantId: shop }), NOW)
      await payments.resolve(payment, { status: 'completed' }, NOW)
      expect(await payments.get(payment)).toMatchObject({ status: 'completed' })
      await payments.list(shop, {}, { skip: 0, limit: 1 })
    }
    const claimed = await deliveries.claim({ now: NOW, leaseUntil: LATER, limit: SHOPS.length })
    expect(claimed).toHaveLength(SHOPS.length)
    for (const { merchantId, paymentId, fence } of claimed) {
      const attempt = { at: NOW, status: 200, milliseconds: 1, error: null, answer: null }
      const lease = { merchantId, paymentId, fence }
      await deliveries.record({ ...lease, state: 'delivered', nextAttemptAt: null, attempt })
    }
  }
}

overCitus(() => {
  test.for(Object.entries(opened))(
    'over %s a session does not keep what was planned in it',
    async ([, open]) => {
      const { storage: host, connectionString, schema, drop } = await createOnCitus()
      try {
        for (const id of SHOPS) await openShop(host, id)
        for (const address of await nodesOf(connectionString)) {
          const { given, end } = open(address)
          const storage = postgresStorage({ ...given, ...PATIENT }, { schema })
          await workOn(storage, 10)
          const before = await bytesOf(address, schema)
          await workOn(storage, 60)
          // One that was opened meanwhile has its first megabytes yet to fill.
          const grown = [...(await bytesOf(address, schema))].flatMap(([pid, bytes]) => {
            const had = before.get(pid)
            return had === undefined ? [] : bytes - had
          })
          expect(grown).not.toEqual([])
          expect(Math.max(...grown)).toBeLessThan(1.5 * MEGABYTE)
          await storage.close()
          await end()
        }
      } finally {
        await drop()
      }
    },
  )
})
