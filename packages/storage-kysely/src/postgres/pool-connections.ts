import type { CompiledQuery } from 'kysely'
import type { Connections, Execute } from '../session/connections.ts'
import { statementName } from '../session/statement-name.ts'
import { connect, type PgClient, type PgPool } from './pg-pool.ts'

/** Queries that are no part of a transaction go straight to pg: by way of kysely a short one costs half as much again. */
export function poolConnections(open: () => Promise<PgPool>): Connections {
  const hold: Connections['hold'] = async work => {
    const client = await connect(await open())
    try {
      return await work(executeOn(client))
    } finally {
      client.release()
    }
  }
  return { hold, execute: query => hold(execute => execute(query)) }
}

function executeOn(client: PgClient): Execute {
  return async <Row>({ sql, parameters }: CompiledQuery<Row>) => {
    const values = parameters as unknown[]
    const { rows, rowCount } = await client.query({ name: statementName(sql), text: sql, values })
    return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
  }
}
