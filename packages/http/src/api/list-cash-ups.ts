import { cashUpSchema } from '@tillkit/domain'
import { z } from 'zod'
import { apiAnswers } from '../description/api-answers.ts'
import { json } from '../response/json.ts'
import { exampleCashUp } from './examples.ts'
import { listOperation } from './operation.ts'
import { paginationHeaders, paginationQuery } from './pagination.ts'

/** `GET /cash_ups` (API 4.6). */
export const listCashUps = listOperation(
  'Cash ups',
  {
    operationId: 'listCashUps',
    summary: 'Cash ups, newest first',
    description: "The merchant's cash ups, newest first. Two of one second keep their order.",
    query: paginationQuery,
    answers: apiAnswers({
      description: 'One page of cash ups.',
      schema: z.array(cashUpSchema),
      example: [exampleCashUp],
      pages: true,
      invalid: 'perPage is not valid: it must be an integer from 1 to 100',
    }),
  },
  async ({ till, merchant, words }, page) => {
    const { items, total } = await till.cashUps.list(merchant.id, page)
    return json(200, items.map(words.cashUp), paginationHeaders(page, total))
  },
)
