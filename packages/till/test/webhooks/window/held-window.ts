import { createFairWindow } from '../../../src/webhooks/window/fair-window.ts'
import type { Outcome as Made } from '../../../src/webhooks/worker/attempt.ts'

export type Outcome = NonNullable<Made>
interface Started {
  origin: string
  merchantId: string
  end: (outcome: Outcome) => void
}

/** A window whose attempts end when told to. */
export function heldWindow(places: number) {
  let rooms = 0
  const window = createFairWindow(places, () => {
    rooms++
  })
  const started: Started[] = []
  const taskOf = (merchantId: string, origin: string) => () => {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    started.push({ origin, merchantId, end: resolve })
    return promise
  }
  const run = (merchantId: string, origin = merchantId, failing = false, path: string[] = []) =>
    window.run({ origin, merchantId, path, failing }, taskOf(merchantId, origin))
  /** `off` has what was said when it was put off. */
  const runSoon = (
    merchantId: string,
    failing = false,
    origin = merchantId,
    onPutOff = () => {},
    path: string[] = [],
  ) => {
    const off: boolean[] = []
    window.runSoon({ origin, merchantId, path, failing }, taskOf(merchantId, origin), silent => {
      off.push(silent)
      onPutOff()
    })
    return { off }
  }
  const tick = () => new Promise(resolve => setImmediate(resolve))
  /** Ends all that are in flight of a merchant, as often as it is given. */
  const answer = async (merchantId: string, outcome: Outcome) => {
    for (const one of started.splice(0)) {
      if (one.merchantId === merchantId) one.end(outcome)
      else started.push(one)
    }
    await tick()
  }
  const inFlight = (merchantId: string) => started.filter(one => one.merchantId === merchantId).length
  return { window, run, runSoon, started, tick, answer, inFlight, rooms: () => rooms }
}
