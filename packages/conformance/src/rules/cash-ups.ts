import { z } from 'zod'
import type { Answer } from '../network/answer.ts'
import type { Rule } from '../session/rule.ts'
import { isObject, itemsOf, listOf, shown } from './kinds.ts'
import { wireDate } from './payments.ts'

const cashUp = z.object({
  date: wireDate,
  reference: z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 lower-case hexadecimal digits'),
})

function cashUpsOf(answer: Answer): Record<string, unknown>[] {
  if (listOf(answer) === 'cash_ups') return itemsOf(answer)
  const made = answer.question.method === 'POST' && /^\/cash_ups\/?$/.test(answer.question.path)
  return made && answer.status === 200 && isObject(answer.json) ? [answer.json] : []
}

/** API 2.2 and 4.6: every cash up that is seen. */
export const cashUps: readonly Rule[] = [
  {
    name: 'cash-up-object',
    section: '2.2',
    title: 'a cash up has date and reference',
    applies: answer => cashUpsOf(answer).length > 0,
    look(answer, differ) {
      for (const item of cashUpsOf(answer)) {
        for (const { path, message } of cashUp.safeParse(item).error?.issues ?? []) {
          const key = String(path[0])
          differ(key in item ? `${key} is ${shown(item[key])}: ${message}` : `${key} is missing`)
        }
      }
    },
  },
  {
    name: 'cash-ups-order',
    section: '4.6',
    title: 'cash ups newest first, each once',
    applies: answer => listOf(answer) === 'cash_ups' && itemsOf(answer).length > 1,
    look(answer, differ) {
      const items = itemsOf(answer)
      const at = items.findIndex((item, i) => i > 0 && String(item.date) > String(items[i - 1]?.date))
      if (at > 0) differ(`the cash up of ${items[at]?.date} comes after that of ${items[at - 1]?.date}`)
      const references = items.map(({ reference }) => reference)
      const twice = references.find((reference, i) => references.indexOf(reference) !== i)
      if (twice !== undefined) differ(`the cash up ${twice} is there twice`)
    },
  },
]
