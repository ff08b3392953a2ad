import type { Account } from '../../account/account.ts'
import { expectList } from '../../account/expect-list.ts'
import { dateAfter, type Window } from '../../account/window.ts'
import { itemsOf } from '../../rules/kinds.ts'
import { integer } from '../../rules/pages.ts'
import type { Check } from '../../session/check.ts'
import { NotTried } from '../../session/not-tried.ts'
import type { Session } from '../../session/session.ts'

/** The same moment as somebody in another time zone writes it. */
function inZone(date: string, offset: string): string {
  const [, sign, hours = '', minutes = ''] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? []
  const seconds = (Number(hours) * 60 + Number(minutes)) * 60 * (sign === '-' ? -1 : 1)
  return dateAfter(date, seconds).replace('Z', offset)
}

/** A few dates of payments, the ends among them, and those that several share. */
function datesOf({ payments }: Window): string[] {
  const dates = [...new Set(payments.map(({ date }) => date))]
  const shared = dates.find(date => payments.filter(payment => payment.date === date).length > 1)
  const some = [dates[0], dates.at(-1), dates[Math.floor(dates.length / 2)], shared]
  return [...new Set(some.filter(date => date !== undefined))]
}

/** API 4.2: `startDate` and `endDate`. */
export function dateFilters({ window }: Account): Check {
  return {
    name: 'filter-dates',
    section: '4.2',
    title: 'startDate is at or after, endDate before; any offset, fractions of a second',
    async run(session) {
      if (window === null) throw new NotTried('there are no payments to filter')
      const { payments, endDate } = window
      const between = (from: string, to: string) =>
        payments.filter(({ date }) => date >= from && date < to).map(({ id }) => id)
      for (const date of datesOf(window)) {
        const next = dateAfter(date, 1)
        const after = between(date, endDate)
        const end = `endDate=${endDate}`
        await expectList(session, `startDate=${date}&${end}`, after)
        await expectList(session, `startDate=${next}&${end}`, between(next, endDate))
        await expectList(session, `startDate=${date}&endDate=${next}`, between(date, next))
        await expectList(session, `startDate=${date}&endDate=${date}`, [])
        await expectList(session, `startDate=${next}&endDate=${date}`, [])
        await expectList(session, `startDate=${date.replace('Z', '.000Z')}&${end}`, after)
        await expectList(session, `startDate=${date.replace('Z', '.001Z')}&${end}`, between(next, endDate))
        await expectList(
          session,
          `startDate=${date}&endDate=${date.replace('Z', '.5Z')}`,
          between(date, next),
        )
        await expectList(session, `startDate=${encodeURIComponent(date)}&${end}`, after)
        for (const offset of ['+02:00', '-05:30', '+00:00']) {
          const there = inZone(date, offset)
          await expectList(session, `startDate=${encodeURIComponent(there)}&${end}`, after)
          if (offset !== '-05:30') await expectList(session, `startDate=${there}&${end}`, after)
          await expectList(
            session,
            `startDate=${date}&endDate=${encodeURIComponent(inZone(next, offset))}`,
            between(date, next),
          )
        }
        await laterPage(session, `startDate=${date}&${end}`, after)
        await laterPage(session, `startDate=${payments.at(-1)?.date}&endDate=${next}`, between('', next))
        await before(session, date, payments.findLast(payment => payment.date >= date)?.id ?? 0)
      }
      // Without an end whatever came in meanwhile is there too: each is held to the filter.
      await session.get('/payments', `startDate=${payments.at(-1)?.date}`)
      await expectList(session, 'endDate=1971-01-01T00:00:00Z', [])
    },
  }
}

/** The second page of a stretch is of that stretch. */
async function laterPage(session: Session, query: string, ids: number[]): Promise<void> {
  const answer = await session.get('/payments', `${query}&perPage=2&page=2`)
  const [found, expected] = [itemsOf(answer).map(({ id }) => id), ids.slice(2, 4)]
  if (found.join() !== expected.join())
    session.differ(`the second page should have the payments ${expected}, and has ${found}`, answer)
}

/** Before a date are all payments up to the one before the first of that date, however many. */
async function before(session: Session, date: string, first: number): Promise<void> {
  const answer = await session.get('/payments', `endDate=${date}&perPage=5`)
  const total = integer(answer, 'X-Total')
  if (total !== first - 1) {
    session.differ(
      `X-Total should be ${first - 1}, as payment ${first} is the first of that date, and is ${total}`,
      answer,
    )
  }
  const [newest] = itemsOf(answer)
  if (first > 1 && newest?.id !== first - 1) {
    session.differ(`the newest before that date should be payment ${first - 1}, and is ${newest?.id}`, answer)
  }
}
