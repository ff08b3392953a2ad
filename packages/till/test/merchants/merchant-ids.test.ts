import { expect, test } from 'vitest'
import { refusal, tillOf } from '../till-of.ts'

test('every method that takes a merchant names an id that cannot be one', async () => {
  const { till } = await tillOf()
  for (const id of [undefined, null, 7, '', 'with space', 'a\0b', 'x'.repeat(65)] as never[]) {
    const calls = [
      till.merchants.get(id),
      till.merchants.update(id, { name: 'New' }),
      till.merchants.issueWebhookKey(id),
      till.apiKeys.issue(id),
      till.apiKeys.list(id),
      till.apiKeys.revoke(id, 'key'),
      till.scanCodes.create(id),
      till.scanCodes.list(id),
      till.payments.complete({ merchantId: id, id: 1 }),
      till.payments.settle(id, { statementReference: 'S', paymentIds: [1] }),
      till.payments.get(id, 1),
      till.payments.list(id),
      till.cashUps.create(id),
      till.cashUps.list(id),
      till.cashUps.payments(id, 'f'),
      till.webhooks.list(id),
      till.webhooks.redeliver({ merchantId: id, paymentId: 1 }),
    ]
    for (const call of calls) {
      expect(await refusal(call)).toBe('invalid_input: merchantId must be 1 to 64 of A-Za-z0-9_.:-')
    }
  }
})

test('codes and references that cannot be are unknown', async () => {
  const { till } = await tillOf()
  for (const odd of ['', 'a b', 'a\0b', '\ud800', 'x'.repeat(100_000)]) {
    expect(await till.scanCodes.get(odd)).toBeNull()
    expect(await refusal(till.payments.start({ scanCode: odd, totalAmount: 1 }))).toMatch(/^not_found: /)
    expect(await refusal(till.cashUps.payments('shop', odd))).toMatch(/^not_found: /)
  }
})
