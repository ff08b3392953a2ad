import mysql from 'mysql2'
import pg from 'pg'
import { afterEach } from 'vitest'
import type { DatabaseStorage } from '../../../src/index.ts'
import { mysqlStorage } from '../../../src/mysql/index.ts'
import { postgresStorage } from '../../../src/postgres/index.ts'
import { type Address, PATIENT, storageAt } from '../../engines/address.ts'
import type { TestDatabase } from '../../engines/engine.ts'
import { attempt, NOW, openShop } from '../shop.ts'

type Of<Dialect> = Extract<Address, { dialect: Dialect }>

export const start = (storage: Pick<DatabaseStorage, 'payments'>) => storage.payments.start(attempt(), NOW)

/** What it rejects with; undefined where it goes well. */
export const refusalOf = (write: Promise<unknown>) =>
  write.then(
    () => undefined,
    error => error,
  )

/** A database with a shop, and storages that meet what its server is set to for a while. All that was opened ends with each test. */
export function databaseForAWhile() {
  let database: TestDatabase
  let ends: (() => Promise<unknown>)[]

  afterEach(async () => {
    for (const end of ends.reverse()) await end()
    await database.drop()
  })

  const addressOf = <Dialect extends Address['dialect']>(dialect: Dialect): Of<Dialect> => {
    if (database.address.dialect !== dialect) throw new Error(`not ${dialect}`)
    return database.address as Of<Dialect>
  }
  const ending = (end: () => Promise<unknown>) => void ends.push(end)
  const closing = (storage: DatabaseStorage) => {
    ending(() => storage.close())
    return storage
  }
  const ownPool = () => {
    const { connectionString, schema } = addressOf('postgres')
    return closing(postgresStorage({ connectionString, ...PATIENT }, { schema }))
  }
  const hostsPool = () => {
    const { connectionString, schema } = addressOf('postgres')
    const pool = new pg.Pool({ connectionString })
    ending(() => pool.end())
    return closing(postgresStorage({ pool, ...PATIENT }, { schema }))
  }

  return {
    async open(create: () => Promise<TestDatabase>): Promise<void> {
      ends = []
      database = await create()
      const owner = storageAt(database.address)
      await owner.migrate()
      await openShop(owner)
      await owner.close()
    },
    addressOf,
    address: () => database.address,
    ending,
    closing,
    /** Ways to PostgreSQL. */
    pools: [
      ['its own pool', ownPool],
      ['a pool of the host’s', hostsPool],
    ] as const,
    /** Over a pool whose sessions begin with this statement, until it is lifted: as a server has it that is set so, which would be all tests'. */
    mysqlBeginning(statement: string): { storage: DatabaseStorage; lift: () => void } {
      let begins = true
      const pool = mysql.createPool({ uri: addressOf('mysql').uri, charset: 'utf8mb4' })
      pool.on('connection', client => {
        if (begins) client.query(statement)
      })
      ending(() => new Promise(resolve => pool.end(resolve)))
      const lift = () => {
        begins = false
      }
      return { storage: closing(mysqlStorage({ pool, ...PATIENT })), lift }
    },
  }
}
