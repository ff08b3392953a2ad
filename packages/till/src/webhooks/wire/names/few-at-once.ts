import { lookupFailed } from './address.ts'

/** Runs work in its turn, and drops what still waits once the signal is aborted. */
export type InTurn = <Result>(work: () => Promise<Result>, signal: AbortSignal) => Promise<Result>

/** So much at a time, the rest in the order in which it came. */
export function fewAtOnce(most: number): InTurn {
  const line = new Set<() => void>()
  let underWay = 0

  const turn = async (signal: AbortSignal) => {
    if (underWay++ < most) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      if (!line.delete(resolve)) return
      underWay--
      reject(lookupFailed(signal.reason))
    }
    line.add(resolve)
    signal.addEventListener('abort', leave, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', leave))
  }
  const next = () => {
    underWay--
    for (const start of line) {
      line.delete(start)
      start()
      return
    }
  }

  return async (work, signal) => {
    if (signal.aborted) throw lookupFailed(signal.reason)
    await turn(signal)
    return work().finally(next)
  }
}
