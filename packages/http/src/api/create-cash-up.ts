import { cashUpSchema, MAX_REFERENCE_LENGTH, nonEmptyReference, TillError } from '@tillkit/domain'
import { z } from 'zod'
import { apiAnswers } from '../description/api-answers.ts'
import { json } from '../response/json.ts'
import { exampleCashUp } from './examples.ts'
import { operation } from './operation.ts'

const NOT_VALID = `Idempotency-Key is not valid: it must be text of 1 to ${MAX_REFERENCE_LENGTH} characters, of which one beyond ASCII counts as its bytes`

const headers = z.object({
  'Idempotency-Key': nonEmptyReference.optional().meta({
    description:
      'Another for each cash up, such as a UUID: the same key again gets the same cash up, and changes nothing.',
    examples: ['monday-evening'],
  }),
})

/** `POST /cash_ups` (API 4.4). The same `Idempotency-Key` again returns the same cash up. */
export const createCashUp = operation(
  'Cash ups',
  {
    operationId: 'createCashUp',
    summary: 'Ends the period and begins the next',
    description:
      'The answer names the period that ended, which may be empty. Pending payments do not stop it. A client that does not ' +
      'get the answer cannot know whether the period ended, and asking again would end another one: so send ' +
      '`Idempotency-Key`. A body is ignored.',
    headers,
    answers: apiAnswers({
      description: 'The cash up that it made, or that its `Idempotency-Key` made before.',
      schema: cashUpSchema,
      example: exampleCashUp,
      invalid: NOT_VALID,
    }),
  },
  async ({ till, merchant, request, words }) => {
    // Byte by byte, as servers hand it over: read as UTF-8 it would be another key than the one that is kept of a retry.
    const key = headers.shape['Idempotency-Key'].safeParse(request.headers['idempotency-key'])
    if (!key.success) throw new TillError('invalid_input', NOT_VALID)
    const cashUp = await till.cashUps.create(merchant.id, { idempotencyKey: key.data })
    return json(200, words.cashUp(cashUp))
  },
)
