import { dayIn, daysAfter, instantIn } from '../show/zone.ts'

/** A day in the console's time zone. */
export interface Day {
  /** Its date: `2026-11-20`. */
  date: string
  /** When it began. */
  start: Date
  /** When it ends. */
  end: Date
  /** When the same day of the week before began. */
  weekAgo: Date
  /** When that ended. */
  weekAgoEnd: Date
  /** Whether it is still going on. */
  isToday: boolean
}

/** What an address has that leads to a day: nothing for today, which is another one tomorrow. */
export function asked({ date, isToday }: Day): { day?: string } {
  return isToday ? {} : { day: date }
}

/** A day that somebody asks for by its date; today where that is none, or has not come yet. */
export function dayOf(timeZone: string, now: Date, wanted: string | null = null): Day {
  const today = dayIn(timeZone, now)
  const date = wanted !== null && isDate(wanted) && wanted < today ? wanted : today
  const at = (days: number) => instantIn(timeZone, daysAfter(date, days)) as Date
  return {
    ...{ date, start: at(0), end: at(1) },
    ...{ weekAgo: at(-7), weekAgoEnd: at(-6), isToday: date === today },
  }
}

/** `2026-02-30` is none, and takings are not told of days before 1970. */
function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && text >= '1971' && instantIn('UTC', text) !== null
}
