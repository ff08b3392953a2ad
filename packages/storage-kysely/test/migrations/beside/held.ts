import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '../../engines/address.ts'
import { openSession, PROCESSES } from '../../faults/session.ts'

/**
 * Holds up whoever changes an index of the deliveries, and nobody else, until it is let go: on PostgreSQL by a transaction with a snapshot, which
 * a build that is concurrent waits for at its end; on MariaDB by one that has read the table. There columns would wait for it as
 * well, which come before all indexes: they are put in first, as a migration leaves them that ends between both.
 */
export async function holdUp(address: Address): Promise<() => Promise<void>> {
  if (address.dialect !== 'postgres') {
    await addLaterColumns(address)
    return holdTable(address, 'deliveries')
  }
  const holder = await openSession(address)
  await holder.run('begin isolation level repeatable read')
  await holder.run('select 1')
  return async () => {
    await holder.run('rollback')
    await holder.close()
  }
}

async function addLaterColumns(address: Address): Promise<void> {
  const session = await openSession(address)
  const columns = ['traceparent varchar(64)', 'lone_milliseconds bigint', 'lone_answer varchar(1024)']
  for (const column of columns)
    await session.run(`alter table ${session.table('deliveries')} add column ${column}`)
  await session.close()
}

/** Holds up whoever changes a table, until it is let go: it has read it in a transaction. */
export async function holdTable(address: Address, table: string): Promise<() => Promise<void>> {
  const holder = await openSession(address)
  await holder.run('begin')
  await holder.run(`select * from ${holder.table(table)} limit 1`)
  return async () => {
    await holder.run('rollback')
    await holder.close()
  }
}

/** Waits until a change of an index is held up, and returns the number of its session. */
export async function heldUp(address: Address): Promise<number> {
  const session = await openSession(address)
  const statement =
    address.dialect === 'postgres'
      ? `select p.pid as id from pg_stat_progress_create_index as p join pg_class as c on c.oid = p.relid
         where p.phase = 'waiting for old snapshots'
           and c.relnamespace = (select oid from pg_namespace where nspname = '${address.schema}')`
      : `select id from ${PROCESSES}
         where db = database() and info like '%lock = none%' and state like 'Waiting for table metadata lock%'`
  try {
    for (;;) {
      const [row] = await session.run(statement)
      if (row) return Number(row.id)
      await sleep(20)
    }
  } finally {
    await session.close()
  }
}
