import type { Storage } from '@tillkit/storage'
import type { Kysely, Transaction } from 'kysely'
import { apiKeyStore } from './api-keys/api-key-store.ts'
import { cashUpStore } from './cash-ups/cash-up-store.ts'
import { holdingShard } from './citus/holding-shard.ts'
import { merchantNodes } from './citus/nodes/merchant-nodes.ts'
import { onCitus } from './citus/on-citus.ts'
import { type CheckOnce, checkOnce } from './connections/check-once.ts'
import type { Connections } from './connections/connections.ts'
import { kyselyConnections } from './connections/kysely-connections.ts'
import { splitOptions, type TimeLimits, timeLimitsOf } from './connections/limits/time-limits.ts'
import { deliveryStore } from './deliveries/delivery-store.ts'
import { type Dialect, type DialectName, dialectOf } from './dialects/index.ts'
import { endpointStore } from './endpoints/endpoint-store.ts'
import { telling } from './faults/telling.ts'
import { forwarding } from './forwarding.ts'
import { inspectDatabase } from './inspection/inspect.ts'
import { readMigrated } from './inspection/migrated.ts'
import { merchantStore } from './merchants/merchant-store.ts'
import { paymentStore } from './payments/payment-store.ts'
import { reportStore } from './reports/report-store.ts'
import { scanCodeStore } from './scan-codes/scan-code-store.ts'
import { fullNames } from './schema/full-names.ts'
import { assertKysely } from './schema/given-kysely.ts'
import { inPlace, LaidOutAnew } from './schema/in-place.ts'
import { readGiven } from './schema/invalid-input.ts'
import { type NameOptions, namesOf } from './schema/names.ts'
import type { Tables } from './schema/tables.ts'
import type { Database } from './session/database.ts'
import { atReadTurn, readingInTurn } from './session/reading-in-turn.ts'
import { readsOf } from './session/session.ts'
import { hostTransaction } from './session/transactions/host-transaction.ts'
import { ownTransactions } from './session/transactions/own-transactions.ts'
import { sharedTransactions } from './session/transactions/shared-transactions.ts'
import { settlementStore } from './settlements/settlement-store.ts'
import { readTime } from './time/read-time.ts'

/** So many rows of an index are counted in a fraction of the time that a page takes. */
const BLOCK_SIZE = 1024

/** Where the tables are, and how long calls take at most. */
export interface KyselyStorageOptions extends NameOptions, TimeLimits {}

/**
 * A storage over the host's own Kysely instance, or inside an open transaction of it: then what Tillkit writes commits
 * or rolls back with what the host writes. The tables must be there: see `migrate`.
 *
 * @param db - its type of tables does not matter; its plugins are not applied to Tillkit's queries.
 */
export function kyselyStorage<HostTables>(
  db: Kysely<HostTables> | Transaction<HostTables>,
  dialect: DialectName,
  options: KyselyStorageOptions = {},
): Storage {
  const given = readGiven('kyselyStorage', () => {
    assertKysely(db)
    const { limits, names } = splitOptions(options)
    const engine = dialectOf(dialect)
    return { engine, times: timeLimitsOf(limits), ...namesOf(names, engine) }
  })
  const { engine, times, tablePrefix, schema } = given
  const plain = db as unknown as Kysely<Tables>
  const check = checkOnce(engine.sessionCheck?.({ tablePrefix, schema }, found => placed(found)))
  const { current, placed } = inPlace((place, isCurrent) =>
    storageOf(
      databaseOf(
        plain,
        place.distributed ? onCitus(engine) : engine,
        { tablePrefix, schema: place.schema ?? schema },
        times,
        { check: whileLaidOut(check, isCurrent) },
      ),
    ),
  )
  const storage = { ...forwarding(current), inTransaction: db.isTransaction }
  return db.isTransaction ? { ...storage, inspect: undefined } : storage
}

/** The check, which lets nothing be sent once it has found the tables to lie otherwise than expected. */
function whileLaidOut(check: CheckOnce, isCurrent: () => boolean): CheckOnce {
  return async connection => {
    await check(connection)
    if (!isCurrent()) throw new LaidOutAnew()
  }
}

/** The port over a database. */
export function storageOf(database: Database): Storage {
  const storage = {
    merchants: merchantStore(database),
    apiKeys: apiKeyStore(database),
    scanCodes: scanCodeStore(database),
    payments: paymentStore(database),
    cashUps: cashUpStore(database),
    reports: reportStore(database),
    settlements: settlementStore(database),
    deliveries: deliveryStore(database),
    endpoints: endpointStore(database),
    time: readTime(database),
    migrated: readMigrated(database),
    ...(database.whole && { inspect: inspectDatabase(database, database.whole) }),
  }
  return telling(readingInTurn(storage, database), database.dialect)
}

/** What a database may be given besides. */
interface Ways {
  /** Where goes all that is not part of a transaction of `db`: its own connections, unless there is a shorter way. */
  connections?: Connections | undefined
  /** Where it is asked at which node merchants are; with all else where that is left out. */
  watch?: Connections | undefined
  /** Makes sure of sessions: by one of its own when left out. */
  check?: CheckOnce
  /** Where it is known already at which node merchants are. */
  nodeOf?: Database['nodeOf']
}

/** What the operations work with: `db` writes queries, and runs what is part of its transaction. */
export function databaseOf(
  db: Kysely<Tables>,
  dialect: Dialect,
  { tablePrefix = 'tillkit_', schema }: NameOptions,
  limits: Required<TimeLimits> = timeLimitsOf({}),
  given: Ways = {},
): Database {
  const plain = db.withoutPlugins()
  const named = plain.withPlugin(fullNames(tablePrefix, schema))
  const shared = {
    dialect,
    builder: dialect.plugin ? named.withPlugin(dialect.plugin) : named,
    groups: !dialect.oneWriter && !plain.isTransaction,
    ofHost: plain.isTransaction,
    counting: { blockSize: BLOCK_SIZE, ahead: !plain.isTransaction },
  }
  const check = given.check ?? checkOnce(dialect.sessionCheck?.({ tablePrefix, schema }))
  const writing = <Writes extends Pick<Database, 'write'>>(writes: Writes): Writes =>
    dialect.distributed ? { ...writes, write: holdingShard(shared, writes.write) } : writes
  if (plain.isTransaction) {
    return { ...shared, ...writing(hostTransaction(plain as Transaction<Tables>, dialect, check)) }
  }
  const connections = given.connections ?? kyselyConnections(plain, dialect, check)
  const whole = {
    db: plain as Kysely<unknown>,
    tables: shared.builder,
    ...{ tablePrefix, schema, poolSize: () => connections.size() },
  }
  const readsBy = (over: Connections) => readsOf(over, dialect, limits.readTimeoutSeconds)
  const read = readsBy(connections)
  return {
    ...shared,
    whole,
    read,
    atReadTurn: atReadTurn(connections, limits),
    ...(given.nodeOf
      ? { nodeOf: given.nodeOf }
      : dialect.distributed && merchantNodes(shared.builder, given.watch ? readsBy(given.watch) : read)),
    ...(dialect.oneWriter
      ? { write: sharedTransactions(connections, dialect, limits.writeTimeoutSeconds) }
      : writing(ownTransactions(connections, dialect, limits))),
  }
}
