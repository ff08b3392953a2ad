import { json } from '@tillkit/http'
import { z } from 'zod'
import { seed } from '../ledger/standing.ts'
import { bodyRoute } from './sandbox-route.ts'

/** `POST /sandbox/reset` */
export const resetLedger = bodyRoute(
  {
    at: 'POST /sandbox/reset',
    operationId: 'resetTestLedger',
    summary: 'Begins the ledger anew',
    description:
      'An empty ledger, from the same seed as before or another, at the time that it began with. Keys, the webhook URL and ' +
      'the webhook key stay.',
    body: z.strictObject({
      seed: seed
        .optional()
        .describe('What it begins from: the same seed and requests give the same answers.'),
    }),
    answers: {
      description: 'The seed that it begins from.',
      schema: z.object({ seed: z.string() }),
      example: { seed: 'tillkit' },
      invalid: 'seed must be 1 to 64 of A-Za-z0-9_.:-',
      conflict: 'a sandbox can be reset 1000 times: ask for an empty one',
    },
  },
  async (ledger, body) => {
    const next = body.seed ?? ledger.seed()
    await ledger.reset(next)
    return json(200, { seed: next })
  },
)
