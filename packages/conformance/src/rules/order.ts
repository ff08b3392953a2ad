import type { Answer } from '../network/answer.ts'
import type { Rule } from '../session/rule.ts'
import { itemsOf, listOf, parametersOf, paymentsOf, shown } from './kinds.ts'
import { integer, positionOf } from './pages.ts'

/** Filters that compare one key with one value. */
export const EXACT = [
  'scanCode',
  'scanCodeReference',
  'userReference',
  'merchantReference',
  'statementReference',
]

const isList = (answer: Answer) => listOf(answer) === 'payments' || listOf(answer) === 'period'

/** Whether ids are to follow one another in a list, and whether the newest of them has the number that `X-Total` says. */
function runOf(answer: Answer): 'counted' | 'unbroken' | null {
  if (listOf(answer) !== 'payments') return null
  const names = new Set(parametersOf(answer).keys())
  if (names.has('status') || EXACT.some(name => names.has(name))) return null
  return names.has('startDate') ? 'unbroken' : 'counted'
}

/** API 2.1 and 4.2: ids without a gap, in descending order, dates in the order of ids, and filters that hold. */
export const order: readonly Rule[] = [
  {
    name: 'payments-order',
    section: '4.2',
    title: 'payments by descending id',
    applies: answer => isList(answer) && itemsOf(answer).length > 1,
    look(answer, differ) {
      const ids = itemsOf(answer).map(({ id }) => Number(id))
      const at = ids.findIndex((id, i) => i > 0 && id >= Number(ids[i - 1]))
      if (at > 0) differ(`payment ${ids[at]} comes after payment ${ids[at - 1]}`)
    },
  },
  {
    name: 'dates-order',
    section: '2.1',
    title: 'no payment is dated earlier than the one before',
    applies: answer => isList(answer) && itemsOf(answer).length > 1,
    look(answer, differ) {
      const items = itemsOf(answer).toSorted((a, b) => Number(a.id) - Number(b.id))
      const at = items.findIndex((item, i) => i > 0 && String(item.date) < String(items[i - 1]?.date))
      if (at < 1) return
      const [earlier, later] = [items[at - 1], items[at]]
      differ(
        `payment ${later?.id} is of ${later?.date}, payment ${earlier?.id} before it of ${earlier?.date}`,
      )
    },
  },
  {
    name: 'gapless',
    section: '2.1',
    title: 'ids are 1, 2, 3 … without a gap',
    applies: answer => runOf(answer) !== null && itemsOf(answer).length > 0,
    look(answer, differ) {
      const ids = itemsOf(answer).map(({ id }) => Number(id))
      const broken = ids.findIndex((id, i) => i > 0 && id !== Number(ids[i - 1]) - 1)
      if (broken > 0) return differ(`after payment ${ids[broken - 1]} comes payment ${ids[broken]}`)
      if (runOf(answer) !== 'counted') return
      const { page, perPage, offset } = positionOf(answer)
      const expected = Number(integer(answer, 'X-Total')) - offset - (page - 1) * perPage
      if (ids[0] !== expected)
        differ(`the first payment of this page should have the id ${expected}, and has ${ids[0]}`)
    },
  },
  {
    name: 'filters-hold',
    section: '4.2',
    title: 'each payment of a filtered list is one that was asked for',
    applies: answer => isList(answer) && itemsOf(answer).length > 0,
    look(answer, differ) {
      const parameters = parametersOf(answer)
      const isPeriod = listOf(answer) === 'period'
      const statuses = isPeriod ? ['completed'] : parameters.get('status')?.split(',')
      for (const payment of paymentsOf(answer)) {
        const { id, status, date } = payment
        if (statuses && !statuses.includes(String(status))) differ(`payment ${id} is ${shown(status)}`)
        if (isPeriod) continue
        for (const name of EXACT) {
          const wanted = parameters.get(name)
          if (wanted !== null && payment[name] !== wanted)
            differ(`payment ${id}: ${name} is ${shown(payment[name])}`)
        }
        const [start, end] = [parameters.get('startDate'), parameters.get('endDate')]
        if (start !== null && Date.parse(String(date)) < Date.parse(start)) {
          differ(`payment ${id} is of ${date}, before startDate`)
        }
        if (end !== null && Date.parse(String(date)) >= Date.parse(end)) {
          differ(`payment ${id} is of ${date}, not before endDate`)
        }
      }
    },
  },
]
