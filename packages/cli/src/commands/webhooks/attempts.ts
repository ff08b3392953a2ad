import { Refused } from '../../program/usage-error.ts'
import { onTill } from '../../store/on-till.ts'
import { number } from '../page.ts'

export const attempts = onTill<[string, string]>({
  name: 'attempts',
  about: 'Shows what came of the last attempts to deliver the webhook of a payment, oldest first.',
  args: [
    ['<merchant>', 'the merchant’s id'],
    ['<payment>', 'the payment’s id'],
  ],
  examples: [['tillkit webhooks attempts coffee 1042', 'what its receiver answered']],
  async run({ till, storage, print }, [merchant, payment]) {
    const id = number('<payment>', payment) ?? 0
    if ((await till.payments.get(merchant, id)) === null) {
      throw new Refused(`merchant ${merchant} has no payment ${id}`)
    }
    const found = await storage.deliveries.attempts(merchant, [id])
    await print.table(found, found, [
      ['began', ({ at }) => at],
      ['status', ({ status }) => status],
      ['milliseconds', ({ milliseconds }) => milliseconds],
      ['error', ({ error }) => error],
      ['answer', ({ answer }) => answer],
    ])
    if (found.length === 0) print.note('there was none yet')
  },
})
