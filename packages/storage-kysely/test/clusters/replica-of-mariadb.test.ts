import { exec } from 'node:child_process'
import { promisify } from 'node:util'
import { type OwnServer, ownMariadb } from '@tillkit/servers'
import mysql from 'mysql2/promise'
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest'
import { mysqlStorage } from '../../src/mysql/index.ts'
import { blockOf } from '../by-hand-page.ts'
import { PATIENT } from '../engines/address.ts'
import { startedOr } from '../inspection/servers.ts'
import { moveUnderLoad } from './moving.ts'

const run = promisify(exec)

const { server, why } = await startedOr(() =>
  ownMariadb({ settings: { 'log-bin': 'log', 'binlog-format': 'row', 'server-id': '1' } }),
)

describe.skipIf(!server)(`a database that moves by a replica of MariaDB’s${why}`, () => {
  const from = server as OwnServer
  let to: OwnServer
  beforeAll(async () => {
    to = await ownMariadb({ settings: { 'server-id': '2' } })
  })
  afterAll(async () => {
    await to?.remove()
    await from.remove()
  })

  /** What statements answer at a server, the first value of each. */
  async function askerOf({ url }: OwnServer) {
    const connection = await mysql.createConnection(url)
    onTestFinished(() => connection.end())
    return async (statements: string[]) => {
      const answers: unknown[] = []
      for (const statement of statements) {
        const [rows] = await connection.query({ sql: statement, rowsAsArray: true })
        if (Array.isArray(rows)) answers.push((rows[0] as unknown[] | undefined)?.[0])
      }
      return answers
    }
  }

  const storageAt = ({ url }: OwnServer, user: string) =>
    mysqlStorage({ uri: url.replace('root', user), ...PATIENT })

  /** As programs are told. */
  const addressOf = ({ url }: OwnServer) => `--host=127.0.0.1 --port=${new URL(url).port} --user=root test`

  test('into partitions, while hosts go on', async () => {
    const [old, anew] = [await askerOf(from), await askerOf(to)]
    // Root may write where nobody else may.
    await old(['create user host', 'grant all on test.* to host'])
    await moveUnderLoad({
      old: () => storageAt(from, 'host'),
      anew: () => storageAt(to, 'root'),
      async follow() {
        await run(blockOf('sh', 'dumped.sh', { old: addressOf(from), new: addressOf(to) }).join('\n'))
        await anew(blockOf('sql', 'cut.sql'))
        await anew(
          blockOf('sql', 'replica.sql', {
            host: '127.0.0.1',
            port: new URL(from.url).port,
            user: 'root',
            password: '',
          }),
        )
      },
      async cutOver() {
        const position = `${(await old(blockOf('sql', 'read-only.sql'))).at(-1)}`
        await anew(blockOf('sql', 'taken-over.sql', { position }))
      },
    })
    const storage = storageAt(to, 'root')
    await storage.migrate({ partitions: 16 })
    await storage.close()
  })
})
