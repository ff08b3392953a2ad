import { LaidOutAnew } from '../schema/in-place.ts'
import type { Connections, Execute } from './connections.ts'

/** Sends nothing more once the tables lie otherwise than the statements expect: each call then ends in `LaidOutAnew`. */
export function stillLaidOut(connections: Connections, isCurrent: () => boolean): Connections {
  const guarded =
    <Result>(work: (execute: Execute) => Promise<Result>) =>
    async (execute: Execute) => {
      if (!isCurrent()) throw new LaidOutAnew()
      return work(execute)
    }
  return {
    size: () => connections.size(),
    isFree: () => connections.isFree(),
    readTurns: connections.readTurns,
    hold: (deadline, work, limits) => connections.hold(deadline, guarded(work), limits),
    transact: (deadline, work, limits) => connections.transact(deadline, guarded(work), limits),
  }
}
