import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownPostgres } from '@tillkit/servers'
import { postgresStorage } from '@tillkit/storage-kysely/postgres'
import pg from 'pg'
import type { Cpu, Inputs } from './inputs.ts'
import type { Asked, Told } from './messages.ts'
import { cpuOfTree, parentOf } from './server-cpu.ts'

export interface Amounts {
  merchants: number
  payments: number
  requests: number
  /** Payments, and requests, that are under way at once. */
  lanes: number
}

/** What a page of the API holds. */
const PAGE = 50

/** Of so many merchants one is paid where pages are to be cold: most are on pages of their own then. */
const FAR_APART = 50

/** Has one host take payments and answer requests over a server of its own, and counts what that took. */
export async function measure({ merchants, payments, requests, lanes }: Amounts): Promise<Inputs> {
  const server = await ownPostgres({ settings: { max_wal_size: '8GB', shared_buffers: '512MB' } })
  const client = new pg.Client(server.url)
  await client.connect()
  const one = async (query: string) => {
    const { rows } = await client.query<unknown[]>({ text: query, rowMode: 'array' })
    return Number(rows[0]?.[0])
  }
  const storage = postgresStorage({ connectionString: server.url })
  await storage.migrate()
  await storage.close()
  const postmaster = await parentOf(await one('select pg_backend_pid()'))
  const receiver = await countingReceiver()

  const bytesOf = (...tables: string[]) =>
    one(
      `select sum(pg_total_relation_size('tillkit_' || name)) from unnest(array['${tables.join("','")}']) as name`,
    )
  const OF_MERCHANTS = ['merchants', 'ledgers', 'scan_codes', 'api_keys']
  const [OF_PAYMENTS, OF_DELIVERIES] = [
    ['payments', 'payment_blocks', 'cash_ups'],
    ['deliveries', 'delivery_attempts'],
  ]
  const empty = await bytesOf(...OF_MERCHANTS)
  for (const statement of merchantStatements(merchants, receiver.url)) await client.query(statement)
  const merchantBytes = ((await bytesOf(...OF_MERCHANTS)) - empty) / merchants

  const host = fork(new URL('host.ts', import.meta.url), [server.url, `${lanes}`], {
    execArgv: ['--conditions=@tillkit/source'],
  })
  const { port = 0, apiKey = '' } = await said(host)
  const ask = async (asked: Partial<Asked> = {}) => {
    host.send({ payments: 0, merchants, every: 1, ...asked })
    return said(host)
  }
  const take = async (payments: number, asked: Partial<Asked> = {}) => {
    const all = receiver.got(payments)
    await ask({ payments, ...asked })
    await all
  }
  const used = async () => ({ ...(await ask()), server: await cpuOfTree(postmaster) })
  const costOf = async (count: number, work: () => Promise<void>): Promise<Cpu & { bytes: number }> => {
    const before = await used()
    await work()
    const after = await used()
    return {
      host: (after.cpu - before.cpu) / count,
      server: (after.server - before.server) / count,
      bytes: (after.bytes - before.bytes) / count,
    }
  }

  // The first of each merchant makes pages of its own.
  await take(merchants)
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  const wal = () => one(`select pg_current_wal_insert_lsn() - '0/0'`)
  const size = async () => ({
    kept: await bytesOf(...OF_PAYMENTS),
    deliveries: await bytesOf(...OF_DELIVERIES),
    wal: await wal(),
  })
  const before = await size()
  const posted = receiver.bytes()
  const began = performance.now()
  const payment = await costOf(payments, () => take(payments))
  const seconds = (performance.now() - began) / 1000
  await sleep(1000)
  const after = await size()
  const { connections } = await ask()

  const get = load(port, apiKey, lanes)
  const each = Math.ceil(payments / merchants)
  const webhookBytes = (receiver.bytes() - posted) / payments
  await take(PAGE, { merchants: 1 })
  const byId = await costOf(requests, () =>
    get(requests, () => `/v1/payments/${1 + Math.floor(Math.random() * each)}`),
  )
  const page = await costOf(requests, () => get(requests, () => '/v1/payments'))
  const coldWal = async (compression: 'off' | 'pglz') => {
    await client.query(`alter system set wal_compression = ${compression}`)
    await client.query('select pg_reload_conf()')
    await sleep(1000)
    await client.query('checkpoint')
    const from = await wal()
    const count = Math.ceil(merchants / FAR_APART)
    await take(count, { every: FAR_APART })
    await sleep(1000)
    return ((await wal()) - from) / count
  }
  const coldWalBytes = await coldWal('off')
  const coldCompressedBytes = await coldWal('pglz')
  host.kill()
  receiver.close()
  await client.end()
  await server.remove()
  return {
    paymentsASecond: payments / seconds,
    ...{ payment, byId, page, merchantBytes, webhookBytes, connections, coldWalBytes, coldCompressedBytes },
    keptBytes: (after.kept - before.kept) / payments,
    deliveryBytes: (after.deliveries - before.deliveries) / payments,
    walBytes: (after.wal - before.wal) / payments,
    wireBytes: payment.bytes,
  }
}

const said = async (child: ChildProcess): Promise<Told> => (await once(child, 'message'))[0]

function merchantStatements(count: number, url: string): string[] {
  const each = `from generate_series(1, ${count}) as n`
  return [
    `insert into tillkit_merchants (id, name, webhook_url, tips, user_references, device_lists, created_at)
     select 'm' || n, 'Shop', '${url}', false, true, false, now() ${each}`,
    `insert into tillkit_ledgers (merchant_id, last_payment_id, last_date, last_cash_up_number, last_cash_up_payment_id)
     select 'm' || n, 0, '1970-01-01T00:00:00Z', 0, 0 ${each}`,
    `insert into tillkit_scan_codes (code, merchant_id, created_at) select 'code-' || n, 'm' || n, now() ${each}`,
    `insert into tillkit_api_keys (merchant_id, id, hash, created_at)
     select 'm' || n, 'key', encode(sha256(n::text::bytea), 'hex'), now() ${each}`,
    'vacuum analyze tillkit_merchants, tillkit_ledgers, tillkit_scan_codes, tillkit_api_keys',
  ]
}

/** Sends so many requests, a few at a time. */
function load(port: number, apiKey: string, lanes: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: lanes })
  const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`
  const one = (path: string) =>
    new Promise<void>((resolve, reject) => {
      request({ agent, port, host: '127.0.0.1', path, headers: { authorization } }, response => {
        if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`))
        response.resume().once('end', resolve)
      })
        .once('error', reject)
        .end()
    })
  return async (count: number, path: () => string) => {
    let left = count
    const lane = async () => {
      while (left-- > 0) await one(path())
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }
}

/** A receiver that answers 204 and counts the bytes that come. */
async function countingReceiver() {
  let [received, wanted] = [0, Number.POSITIVE_INFINITY]
  let resolve = () => {}
  let ended = 0
  const open = new Set<{ bytesRead: number }>()
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end()
      if (++received >= wanted) resolve()
    })
  })
  server.on('connection', socket => {
    open.add(socket)
    socket.on('close', () => {
      ended += socket.bytesRead
      open.delete(socket)
    })
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/payments`,
    bytes: () => [...open].reduce((sum, { bytesRead }) => sum + bytesRead, ended),
    /** Resolves when so many more have come. */
    got: (count: number) =>
      new Promise<void>(come => {
        wanted = received + count
        resolve = come
      }),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
