/** What this machine's clocks say at one moment, in milliseconds. */
export interface Reading {
  /** The wall clock: whoever sets it may set it wrong. */
  wall: number
  /** Goes on evenly, except that it may stand still while the machine sleeps. */
  steady: number
}

export function readClocks(): Reading {
  return { wall: Date.now(), steady: performance.now() }
}

/** By how much the clocks may drift apart in a minute by themselves, and more. */
const DRIFT = 1000

/** Whether both clocks say that the same time, not negative, has passed between two readings. */
export function areAtOne(first: Reading, second: Reading): boolean {
  const passed = second.steady - first.steady
  return passed >= 0 && Math.abs(second.wall - first.wall - passed) <= DRIFT
}
