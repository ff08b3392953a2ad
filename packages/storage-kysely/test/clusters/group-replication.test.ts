import { type OwnServer, ownGroup } from '@tillkit/servers'
import mysql from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { CommitUnknownError, DatabaseError } from '../../src/index.ts'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { storageAt } from '../engines/address.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'
import { race } from '../processes/race.ts'
import {
  type Addresses,
  caughtUpBy,
  databaseAt,
  giveOutcomesAtOnce,
  loseOne,
  type Nodes,
  resolveEarly,
  uriOf,
} from './cluster.ts'
import { halted } from './halted.ts'

const MINUTES = 60_000
const program = process.env.TILLKIT_MYSQLD
const caughtUp = caughtUpBy("group_replication_consistency = 'BEFORE'")

/** A node that cannot be heard by most leaves after three seconds, and stays outside. */
const LEAVES = {
  'loose-group-replication-unreachable-majority-timeout': '3',
  'loose-group-replication-autorejoin-tries': '0',
}

describe.each([
  { primaries: 'one', about: 'one of which takes writes' },
  { primaries: 'each', about: 'which all take writes' },
] as const)('a group of three MySQL servers, $about', { timeout: 5 * MINUTES }, ({ primaries }) => {
  let nodes: OwnServer[] = []

  beforeAll(async () => {
    if (program !== undefined) nodes = await ownGroup({ program, nodes: 3, primaries, running: LEAVES })
  }, 10 * MINUTES)

  afterAll(async () => {
    for (const node of nodes.toReversed()) await node.remove()
  })

  /** The nodes, one that takes writes first. */
  const theNodes = async (context: { skip(note: string): never }): Promise<Nodes> => {
    if (nodes.length < 3) return context.skip('TILLKIT_MYSQLD names no server program of MySQL')
    for (const node of nodes) {
      if (await takesWrites(node)) return [node, ...nodes.filter(other => other !== node)] as Nodes
    }
    throw new Error('none of the nodes takes writes')
  }

  test('a node that dies and comes back: its hosts get errors of a database, and nothing acknowledged is lost', async context => {
    const cluster = await theNodes(context)
    await loseOne(await databaseAt(cluster, 'lost'), { lost: cluster[0], caughtUp })
  })

  if (primaries === 'each') {
    test('four processes race at its nodes, and two of them are killed', async context => {
      await race(await databaseAt(await theNodes(context), 'raced'), caughtUp)
    })

    test('of nodes that give one payment its outcome at once, one has given it', async context => {
      await giveOutcomesAtOnce(await databaseAt(await theNodes(context), 'decided'), caughtUp)
    })

    test('a payment of another node is given its outcome, or is not known there yet', async context => {
      await resolveEarly(await databaseAt(await theNodes(context), 'early'), caughtUp)
    })
  }

  // The last: whom the others then let go, and who comes back, is for them to find out.
  test('a node that is cut off as it commits: what the others have is acknowledged, or said to be unknown', async context => {
    const cluster = await theNodes(context)
    await cutOff(await databaseAt(cluster, 'cut'), cluster)
  })
})

async function takesWrites({ url }: OwnServer): Promise<boolean> {
  const connection = await mysql.createConnection(url)
  const [[row]] = await connection.query<mysql.RowDataPacket[]>('select @@super_read_only as only_reads')
  await connection.end()
  return row?.only_reads === 0
}

/** Starts payments at the first node, of which each is sent to the others, who stand still until it has left them. */
async function cutOff([address, ...elsewhere]: Addresses, [, ...others]: Nodes): Promise<void> {
  const limits = { writeTimeoutSeconds: 60, lockTimeoutSeconds: 60 }
  const storage = mysqlStorage({ uri: uriOf(address), ...limits })
  await storage.migrate()
  await openShop(storage)
  await Promise.all(elsewhere.map(caughtUp))
  const fates = new Map<string, unknown>()
  const refused: unknown[] = []
  const lane = async (_: unknown, n: number) => {
    for (let tries = 0; refused.length === 0; tries++) {
      const merchantReference = `order-${n}-${tries}`
      const fate = await storage.payments
        .start(attempt({ merchantReference }), NOW)
        .then(() => 'acknowledged')
        .catch(error => error)
      fates.set(merchantReference, fate)
      if (fate instanceof Error) refused.push(fate)
    }
  }
  const lanes = Promise.all(Array.from({ length: 8 }, lane))
  await vi.waitFor(() => expect(fates.size).toBeGreaterThan(20), MINUTES)
  const goOn = await Promise.all(others.map(({ url }) => halted(url)))
  try {
    await lanes
  } finally {
    for (const go of goOn) go()
  }
  await storage.close()
  for (const error of refused) expect(error).toBeInstanceOf(DatabaseError)

  // Those who stood still have to find each other again, and may let one go.
  const back = () => Promise.any(elsewhere.map(address => caughtUp(address).then(() => address)))
  const one = storageAt(await vi.waitFor(back, { timeout: MINUTES, interval: 100 }))
  const { items } = await one.payments.list(merchantId, {}, { ...ALL, limit: 100_000 })
  await one.close()
  const there = items.map(({ merchantReference }) => `${merchantReference}`)
  const named = (is: (fate: unknown) => boolean) =>
    [...fates].filter(([, fate]) => is(fate)).map(([name]) => name)
  expect(new Set(there).size).toBe(there.length)
  expect(there).toEqual(expect.arrayContaining(named(fate => fate === 'acknowledged')))
  expect(named(fate => fate === 'acknowledged' || fate instanceof CommitUnknownError)).toEqual(
    expect.arrayContaining(there),
  )
  // What was sent reached the others here: nothing would be shown by a node that had sent nothing.
  expect(there.filter(name => fates.get(name) instanceof CommitUnknownError).length).toBeGreaterThan(0)
}
