import type { Answer } from '../network/answer.ts'
import type { Rule } from '../session/rule.ts'
import { itemsOf, listOf, parametersOf, shown } from './kinds.ts'

/** Where a page stands, as it was asked for. */
export function positionOf(answer: Answer): { page: number; perPage: number; offset: number } {
  const parameters = parametersOf(answer)
  return {
    page: Number(parameters.get('page') ?? 1),
    perPage: Number(parameters.get('perPage') ?? 50),
    offset: Number(parameters.get('offset') ?? 0),
  }
}

/** What a header says that is an integer; null for anything else. */
export function integer(answer: Answer, name: string): number | null {
  const text = answer.header(name)
  return text !== null && /^(0|[1-9]\d*)$/.test(text) ? Number(text) : null
}

/** API 4.1: each list's headers, by their formulas, and as many records as they say. */
export const pages: readonly Rule[] = [
  {
    name: 'page-headers',
    section: '4.1',
    title: 'X-Total, X-Total-Pages, X-Page, X-Per-Page, X-Offset, X-Next-Page, X-Prev-Page',
    applies: answer => listOf(answer) !== null,
    look(answer, differ) {
      const { page, perPage, offset } = positionOf(answer)
      const total = integer(answer, 'X-Total')
      const totalPages = Math.ceil(Math.max((total ?? 0) - offset, 0) / perPage)
      const within = (number: number) => (number >= 1 && number <= totalPages ? String(number) : null)
      if (total === null)
        return differ(`X-Total should be an integer, and is ${shown(answer.header('X-Total'))}`)
      const expected: Record<string, string | null> = {
        'X-Total-Pages': String(totalPages),
        'X-Page': String(page),
        'X-Per-Page': String(perPage),
        'X-Offset': String(offset),
        'X-Next-Page': within(page + 1),
        'X-Prev-Page': within(page - 1),
      }
      for (const [name, value] of Object.entries(expected)) {
        const found = answer.header(name)
        if (found === value) continue
        differ(
          value === null
            ? `${name} should not be there, and is ${shown(found)}`
            : `${name} should be ${value}, and is ${found === null ? 'missing' : shown(found)}`,
        )
      }
    },
  },
  {
    name: 'page-length',
    section: '4.1',
    title: 'a page has as many records as X-Total leaves for it',
    applies: answer => listOf(answer) !== null && answer.question.method !== 'HEAD',
    look(answer, differ) {
      if (!Array.isArray(answer.json)) {
        return differ(`a list should be an array, and is ${shown(answer.json)}`)
      }
      const { page, perPage, offset } = positionOf(answer)
      const total = integer(answer, 'X-Total')
      if (total === null) return
      const left = Math.max(total - offset - (page - 1) * perPage, 0)
      const expected = Math.min(left, perPage)
      if (answer.json.length !== expected) {
        differ(
          `the page should have ${expected} records, as X-Total is ${total}, and has ${answer.json.length}`,
        )
      }
      if (itemsOf(answer).length !== answer.json.length) differ('there are records that are no objects')
    },
  },
]
