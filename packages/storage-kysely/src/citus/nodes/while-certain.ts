import type { Connections, Execute } from '../../connections/connections.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { errorCode } from '../../dialects/error-code.ts'

/** Of a call to a node, of which nothing is left. Its code is a server's for a transaction that is to be run again. */
export class MayHaveLeft extends Error {
  readonly code = '40001'
  readonly severity = 'ERROR'

  constructor(cause?: unknown) {
    super('the node may have left the cluster, whose coordinator has not just said otherwise', { cause })
  }
}

/**
 * Sends nothing more, and commits nothing, once it is not certain that the node is one of the cluster, or the node has the tables no
 * more: the call is then undone, and made anew. One that waited for a connection may have waited for longer than that was certain.
 */
export function whileCertain(
  connections: Connections,
  dialect: Dialect,
  isCertain: () => boolean,
): Connections {
  const sending =
    (execute: Execute): Execute =>
    query =>
      isCertain() ? execute(query) : Promise.reject(new MayHaveLeft())
  const having = <Result>(answer: Promise<Result>) =>
    answer.catch(error => {
      throw isWithoutTables(error, dialect) ? new MayHaveLeft(error) : error
    })
  return {
    size: () => connections.size(),
    isFree: () => connections.isFree(),
    readTurns: connections.readTurns,
    hold: (deadline, work, limits) =>
      having(connections.hold(deadline, execute => work(sending(execute)), limits)),
    transact: (deadline, work, limits) =>
      having(
        connections.transact(
          deadline,
          async execute => {
            const result = await work(sending(execute))
            if (!isCertain()) throw new MayHaveLeft()
            return result
          },
          limits,
        ),
      ),
  }
}

/** As a node says it that is told no more of the cluster's tables (undefined_function: nor of their functions). */
const isWithoutTables = (error: unknown, dialect: Dialect) =>
  dialect.isMissingTable(error) || errorCode(error) === '42883'
