import type { Connections, Execute } from '../../connections/connections.ts'

/**
 * Sends nothing more, and commits nothing, once it is not certain that the node is one of the cluster: the call is then undone, as if
 * another transaction had been first, and made anew. One that waited for a connection may have waited for longer than that was certain.
 */
export function whileCertain(connections: Connections, isCertain: () => boolean): Connections {
  const sending =
    (execute: Execute): Execute =>
    query =>
      isCertain() ? execute(query) : Promise.reject(mayHaveLeft())
  return {
    size: () => connections.size(),
    isFree: () => connections.isFree(),
    hold: (deadline, work, limits) => connections.hold(deadline, execute => work(sending(execute)), limits),
    transact: (deadline, work, limits) =>
      connections.transact(
        deadline,
        async execute => {
          const result = await work(sending(execute))
          if (!isCertain()) throw mayHaveLeft()
          return result
        },
        limits,
      ),
  }
}

/** As a server says it of a transaction that is to be run again. */
function mayHaveLeft(): Error {
  const words = 'the node may have left the cluster, whose coordinator has not just said otherwise'
  return Object.assign(new Error(words), { code: '40001', severity: 'ERROR' })
}
