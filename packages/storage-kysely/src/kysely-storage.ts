import type { Storage } from '@tillkit/storage'
import type { Kysely, Transaction } from 'kysely'
import { apiKeyStore } from './api-keys/api-key-store.ts'
import { cashUpStore } from './cash-ups/cash-up-store.ts'
import { deliveryStore } from './deliveries/delivery-store.ts'
import { type Dialect, type DialectName, dialectOf } from './dialects/index.ts'
import { endpointStore } from './endpoints/endpoint-store.ts'
import { merchantStore } from './merchants/merchant-store.ts'
import { paymentStore } from './payments/payment-store.ts'
import { scanCodeStore } from './scan-codes/scan-code-store.ts'
import { fullNames } from './schema/full-names.ts'
import { type NameOptions, namesOf } from './schema/names.ts'
import type { Tables } from './schema/tables.ts'
import { type Connections, kyselyConnections } from './session/connections.ts'
import type { Database } from './session/database.ts'
import { hostTransaction } from './session/host-transaction.ts'
import { ownTransactions } from './session/own-transactions.ts'
import { readsOf, sessionOf } from './session/session.ts'
import { sharedTransactions } from './session/shared-transactions.ts'

export type KyselyStorageOptions = NameOptions

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
  return storageOf(databaseOf(db as unknown as Kysely<Tables>, dialect, options))
}

/** The port over a database. */
export function storageOf(database: Database): Storage {
  return {
    merchants: merchantStore(database),
    apiKeys: apiKeyStore(database),
    scanCodes: scanCodeStore(database),
    payments: paymentStore(database),
    cashUps: cashUpStore(database),
    deliveries: deliveryStore(database),
    endpoints: endpointStore(database),
  }
}

/** What the operations work with, over `db`; what is no transaction goes to `connections` where there is a shorter way. */
export function databaseOf(
  db: Kysely<Tables>,
  dialect: DialectName | Dialect,
  options: KyselyStorageOptions,
  connections: Connections = kyselyConnections(db.withoutPlugins()),
): Database {
  const engine = typeof dialect === 'object' ? dialect : dialectOf(dialect)
  const { tablePrefix, schema } = namesOf(options, engine)
  const plain = db.withoutPlugins()
  return {
    dialect: engine,
    builder: plain.withPlugin(fullNames(tablePrefix, schema)),
    read: (db.isTransaction ? sessionOf : readsOf)(connections.execute, engine),
    write: writesOf(plain, connections, engine),
  }
}

function writesOf(db: Kysely<Tables>, connections: Connections, dialect: Dialect): Database['write'] {
  if (db.isTransaction) return hostTransaction(db as Transaction<Tables>, dialect)
  return dialect.oneWriter ? sharedTransactions(db, dialect) : ownTransactions(db, connections, dialect)
}
