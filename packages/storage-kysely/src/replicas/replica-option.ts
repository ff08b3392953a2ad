import { assertSeconds } from '../connections/limits/time-limits.ts'
import { assertOptions, kindOf, refuse } from '../schema/invalid-input.ts'

/** How far behind a replica may be to be asked. */
export interface ReplicaLag {
  /** In seconds: 5. While it is further behind, or nobody knows how far, it is left alone. */
  maxLagSeconds?: number | undefined
}

/** The lag of a replica whose address is its field `address`. Throws `TillError` for what is none. */
export function replicaLagOf(given: ReplicaLag, address: string): number {
  assertOptions(given, 'replica', [address, 'maxLagSeconds'])
  const text: unknown = (given as Record<string, unknown>)[address]
  if (typeof text !== 'string') refuse(`replica must have a ${address}, not ${kindOf(text)}`)
  const { maxLagSeconds = 5 } = given
  assertSeconds('replica.maxLagSeconds', maxLagSeconds)
  return maxLagSeconds
}
