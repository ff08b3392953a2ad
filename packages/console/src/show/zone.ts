const FORM = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?))?$/

/**
 * The moment that a date, or a date and time, as a field of a form has it, names in a time zone; null for what names none. What
 * clocks pass over is the moment at which they do, or as long after it: a day without a midnight begins then.
 */
export function instantIn(timeZone: string, text: string): Date | null {
  const [, day, time = '00:00'] = FORM.exec(text) ?? []
  const wall = Date.parse(`${day}T${time}Z`)
  if (Number.isNaN(wall)) return null
  // The offset may differ between the guess and the moment itself, where clocks are changed.
  const guess = wall - offsetAt(timeZone, wall)
  const at = wall - offsetAt(timeZone, guess)
  const isPassedOver = at + offsetAt(timeZone, at) !== wall
  return new Date(isPassedOver ? Math.max(guess, at) : at)
}

/** The day that a moment falls in, in a time zone: `2026-11-20`. */
export function dayIn(timeZone: string, at: Date): string {
  return new Date(at.getTime() + offsetAt(timeZone, at.getTime())).toISOString().slice(0, 10)
}

/** So many days after a day. */
export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}

/** By how many milliseconds the clocks of a time zone are ahead of UTC. */
function offsetAt(timeZone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en-u-hc-h23', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const of = (type: string) => Number(parts.find(part => part.type === type)?.value)
  const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return wall - Math.floor(at / 1000) * 1000
}
