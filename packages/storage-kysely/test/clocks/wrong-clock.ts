/**
 * Preloaded into a process, puts its wall clock ahead by the seconds of `WRONG_CLOCK`; of several, each has its turn for
 * a moment, so that the clock jumps forth and back.
 */
const offsets = (process.env.WRONG_CLOCK ?? '0').split(' ').map(Number)
const TURN_MILLISECONDS = 150

const RealDate = Date
const now = () => {
  const turn = Math.floor(performance.now() / TURN_MILLISECONDS)
  return RealDate.now() + (offsets[turn % offsets.length] ?? 0) * 1000
}

globalThis.Date = new Proxy(RealDate, {
  construct: (date, given, made) => Reflect.construct(date, given.length === 0 ? [now()] : given, made),
  apply: date => new date(now()).toString(),
  get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
})

export {}
