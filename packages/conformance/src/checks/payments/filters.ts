import type { Account } from '../../account/account.ts'
import { expectList } from '../../account/expect-list.ts'
import type { SeenPayment } from '../../account/seen.ts'
import { EXACT } from '../../rules/order.ts'
import { integer } from '../../rules/pages.ts'
import type { Check } from '../../session/check.ts'
import { NotTried } from '../../session/not-tried.ts'

const STATUSES = ['completed', 'error', 'pending']
const encode = encodeURIComponent
const NO_PAYMENTS = 'there are no payments to filter'

/** Every byte as an escape. */
const escaped = (text: string) =>
  [...Buffer.from(text)].map(byte => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('')

/** Each choice of some of them, single ones first. */
const CHOICES = [
  ...STATUSES.map(status => [status]),
  ...STATUSES.map(status => STATUSES.filter(other => other !== status)),
  STATUSES,
]

/** API 4.2: `status`. */
export function statusFilter({ window }: Account): Check {
  return {
    name: 'filter-status',
    section: '4.2',
    title: 'status keeps payments of one of those named, and the counts of all add up',
    async run(session) {
      if (window === null) throw new NotTried(NO_PAYMENTS)
      const { payments, query } = window
      for (const statuses of CHOICES) {
        const ids = payments.filter(({ status }) => statuses.includes(status)).map(({ id }) => id)
        await expectList(session, `${query}&status=${statuses.join(',')}`, ids)
      }
      const completed = payments.filter(({ status }) => status === 'completed').map(({ id }) => id)
      const others = payments.filter(({ status }) => status !== 'completed').map(({ id }) => id)
      await expectList(session, `${query}&status=pending%2Cerror`, others)
      await expectList(session, `${query}&status=%63ompleted`, completed)
      await expectList(session, `${query}&status=completed,completed`, completed)
      const over = payments.filter(({ status }) => status !== 'pending').map(({ id }) => id)
      await expectList(session, `${query}&status=error,completed`, over)

      // Over all payments there are, also where they are too many to be read.
      const counts = new Map<string, number | null>()
      for (const statuses of CHOICES) {
        const name = statuses.join(',')
        const answer = await session.get('/payments', `endDate=${window.endDate}&status=${name}&perPage=7`)
        const total = integer(answer, 'X-Total')
        counts.set(name, total)
        const sum = statuses.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0)
        if (statuses.length > 1 && total !== sum) {
          session.differ(
            `X-Total should be ${sum}, the sum of those of its statuses, and is ${total}`,
            answer,
          )
        }
        if (statuses.length === 3 && total !== window.before) {
          session.differ(
            `X-Total of all statuses should be ${window.before}, as without, and is ${total}`,
            answer,
          )
        }
        const pages = Math.ceil((total ?? 0) / 7)
        for (const page of pages > 1 ? [2, pages] : []) {
          await session.get('/payments', `endDate=${window.endDate}&status=${name}&perPage=7&page=${page}`)
        }
        // As it is asked for most, without a date.
        await session.get('/payments', `status=${name}`)
      }
    },
  }
}

/** API 4.2: the filters that compare with exactly one value. */
export function exactFilter(name: string, { window }: Account): Check {
  return {
    name: `filter-${name}`,
    section: '4.2',
    title: `${name} keeps payments with exactly this value`,
    async run(session) {
      if (window === null) throw new NotTried(NO_PAYMENTS)
      const { payments, query } = window
      const values = valuesOf(payments, name)
      const withValue = (value: string) =>
        payments.filter(payment => payment[name] === value).map(({ id }) => id)
      if (values.length === 0) {
        await expectList(session, `${query}&${name}=no-such-value`, [])
        session.skip(`no payment that was read has a ${name}: only a value that none has was tried`)
        return
      }
      for (const value of values.slice(0, 4)) {
        await expectList(session, `${query}&${name}=${encode(value)}`, withValue(value))
        await session.get('/payments', `${name}=${encode(value)}`)
      }
      const [value = ''] = values
      await expectList(session, `${query}&${name}=${escaped(value)}`, withValue(value))
      await expectList(session, `${name}=${encode(value)}&${query}`, withValue(value))
      const spaced = values.find(value => value.includes(' '))
      if (spaced !== undefined) {
        await expectList(
          session,
          `${query}&${name}=${encode(spaced).replaceAll('%20', '+')}`,
          withValue(spaced),
        )
      }
      const letters = values.find(value => value.normalize('NFD') !== value)
      for (const other of [...besides(value), ...(letters === undefined ? [] : withOtherMarks(letters))])
        await expectList(session, `${query}&${name}=${encode(other)}`, withValue(other))
      for (const status of STATUSES) {
        const ids = payments
          .filter(payment => payment[name] === value && payment.status === status)
          .map(({ id }) => id)
        await expectList(session, `${query}&${name}=${encode(value)}&status=${status}`, ids)
      }
      const count = withValue(value).length
      await session.get('/payments', `${query}&${name}=${encode(value)}&perPage=1&page=${Math.max(count, 1)}`)
      await session.get('/payments', `${query}&${name}=${encode(value)}&perPage=2&page=2`)
    },
  }
}

/** API 4.2: all filters that are given must hold. */
export function filtersTogether({ window }: Account): Check {
  return {
    name: 'filters-together',
    section: '4.2',
    title: 'all filters that are given must hold',
    async run(session) {
      if (window === null) throw new NotTried(NO_PAYMENTS)
      const { payments, query } = window
      const present = EXACT.filter(name => valuesOf(payments, name).length > 0)
      for (const [i, a] of present.entries()) {
        for (const b of present.slice(i + 1)) {
          const sample = payments.find(payment => payment[a] !== null && payment[b] !== null)
          const [x, y] = [
            String((sample ?? payments.find(p => p[a] !== null))?.[a]),
            String((sample ?? payments.find(p => p[b] !== null))?.[b]),
          ]
          const ids = payments.filter(payment => payment[a] === x && payment[b] === y).map(({ id }) => id)
          await expectList(session, `${query}&${a}=${encode(x)}&${b}=${encode(y)}`, ids)
        }
      }
      const dated = [
        ...present.map(name => [name, String(payments.find(one => one[name] !== null)?.[name])] as const),
      ]
      const middle = payments[Math.floor(payments.length / 2)]?.date ?? window.endDate
      for (const [name, value] of [...dated, ['status', 'completed'] as const]) {
        const those = payments.filter(payment => payment[name] === value)
        const pair = `${name}=${encode(value)}`
        const [after, before] = [
          those.filter(({ date }) => date >= middle),
          those.filter(({ date }) => date < middle),
        ]
        await expectList(session, `startDate=${middle}&endDate=${window.endDate}&${pair}`, idsOf(after))
        const start = window.startDate === null ? '' : `startDate=${window.startDate}&`
        await expectList(session, `${start}endDate=${middle}&${pair}`, idsOf(before))
      }
    },
  }
}

const idsOf = (payments: SeenPayment[]) => payments.map(({ id }) => id)

/** Different values, those of fewest payments among them. */
function valuesOf(payments: SeenPayment[], name: string): string[] {
  const values = payments
    .map(payment => payment[name])
    .filter(value => typeof value === 'string' && value !== '')
  return [...new Set(values as string[])]
}

/** What is like a value and is not it. */
function besides(value: string): string[] {
  const others = [
    `${value}x`,
    `${value} `,
    ` ${value}`,
    value.slice(0, -1),
    value.toUpperCase(),
    value.toLowerCase(),
    `${value.slice(0, -1)}_`,
    `${value.slice(0, -1)}%`,
    `${value},${value}x`,
    '%',
    '*',
  ]
  return [...new Set(others)].filter(other => other !== value && other.trim() !== '')
}

/** The same letters without their marks, and with their marks as characters of their own. */
function withOtherMarks(value: string): string[] {
  const apart = value.normalize('NFD')
  return [apart, apart.replaceAll(/\p{Mark}/gu, '')].filter(other => other !== value)
}
