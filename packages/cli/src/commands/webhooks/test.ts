import { EXIT } from '../../program/exit-status.ts'
import { onTill } from '../../store/on-till.ts'

export const test = onTill<[string]>({
  name: 'test',
  about:
    'Posts a payment that was never made to the webhook URL of a merchant, signed, and says what came of it.',
  args: [['<merchant>', 'the merchant’s id']],
  settings: ['webhookHttp', 'webhookNetworks'],
  examples: [['tillkit webhooks test coffee', 'its id is 0 and its amount 0: nobody takes it for a payment']],
  notes: 'It ends with 1 where the receiver did not take it. One that takes it is woken where it was paused.',
  async run({ till, print }, [merchant]) {
    const attempt = await till.webhooks.sendTest(merchant)
    const { status, milliseconds, error, answer } = attempt
    await print.one(attempt, [
      ['taken', error === null],
      ['status', status],
      ['error', error],
      ['milliseconds', milliseconds],
      ['answer', answer],
    ])
    return error === null ? EXIT.done : EXIT.refused
  },
})
