import { CompiledQuery } from 'kysely'
import type { Layout } from '../../src/index.ts'
import { type Address, hostDatabaseAt, storageAt } from '../engines/address.ts'
import type { Engine } from '../engines/engine.ts'
import { partitionsIn } from '../partitions/partitions-in.ts'
import type { Size } from './fill.ts'
import { SCENES, type Scene } from './scenes.ts'

/** A database that goes from scene to scene, in their order, with statistics that stay as they are. */
export interface FilledDatabase {
  address: Address
  reach(scene: Scene): Promise<void>
  close(): Promise<void>
}

export async function openFilled(
  { create }: Pick<Engine, 'create'>,
  size: Size,
  layout: Layout = {},
): Promise<FilledDatabase> {
  const { address, drop } = await create({ apart: true })
  const owner = storageAt(address)
  await owner.migrate(layout)
  await owner.close()
  const db = hostDatabaseAt(address)
  const run = (statement: string) => db.executeQuery(CompiledQuery.raw(statement))
  const partitions = await partitionsIn(db, address)
  for (const statement of leftAlone(address, partitions)) await run(statement)
  let reached = 0

  return {
    address,
    async reach(scene) {
      for (; reached <= SCENES.indexOf(scene); reached++) {
        for (const statement of SCENES[reached]?.steps(address.dialect, size) ?? []) await run(statement)
      }
    },
    async close() {
      await db.destroy()
      await drop()
    },
  }
}

/** Statements after which no server looks at its tables by itself. */
function leftAlone({ dialect }: Address, partitions: Map<string, number>): string[] {
  const tables = ['merchants', 'ledgers', 'api_keys', 'scan_codes', 'payments', 'cash_ups', 'deliveries']
  const more = [
    ...['payment_blocks', 'payment_sums', 'delivery_attempts', 'failing_endpoints'],
    ...['statements', 'settlements'],
  ]
  const all = [...tables, ...more].map(name => `tillkit_${name}`)
  if (dialect === 'postgres') {
    const pieces = (table: string) =>
      Array.from({ length: partitions.get(table) ?? 0 }, (_, n) => `${table}_p${n}`)
    return all
      .flatMap(table => (partitions.has(table) ? pieces(table) : [table]))
      .map(table => `alter table ${table} set (autovacuum_enabled = false)`)
  }
  return dialect === 'mysql' ? all.map(table => `alter table ${table} stats_auto_recalc = 0`) : []
}
