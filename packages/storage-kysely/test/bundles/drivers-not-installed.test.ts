import { describe, expect, test } from 'vitest'
import { bundle, run } from './bundle.ts'

const DRIVERS = [
  ['better-sqlite3', 'sqlite', `sqliteStorage({ file: 'till.db' })`],
  ['pg', 'postgres', `postgresStorage({ connectionString: 'postgres://postgres@127.0.0.1:1/till' })`],
  ['mysql2', 'mysql', `mysqlStorage({ uri: 'mysql://root@127.0.0.1:1/till' })`],
] as const

describe.each(['esm', 'cjs'] as const)('a host’s bundle, %s, where no driver is installed', format => {
  test.each(DRIVERS)('%s', { timeout: 300_000 }, async (driver, engine, open) => {
    const bundled = await bundle(
      `import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
       import { postgresStorage } from '@tillkit/storage-kysely/postgres'
       import { mysqlStorage } from '@tillkit/storage-kysely/mysql'

       async function main() {
         const storage = ${open}
         const uses = [
           () => storage.migrate(),
           () => storage.merchants.get('shop'),
           () => storage.payments.settle('shop', 'BANK-1', [1]),
           () => storage.transaction(inside => inside.merchants.get('shop')),
         ]
         for (const use of uses) await use().catch(error => console.log(String(error), error.cause?.code))
         await storage.close()
       }
       main()`,
      format,
    )
    const ended = await run(process.execPath, bundled)
    await bundled.remove()
    const said = `DatabaseError: the package ${driver} is not installed: npm install ${driver}`
    const code = format === 'esm' ? 'ERR_MODULE_NOT_FOUND' : 'MODULE_NOT_FOUND'
    expect(ended).toMatchObject({ code: 0, signal: null, stderr: '' })
    expect(ended.stdout.trimEnd().split('\n'), engine).toEqual(
      Array(4).fill(expect.stringMatching(new RegExp(`^${said} ${code}$`))),
    )
  })
})
