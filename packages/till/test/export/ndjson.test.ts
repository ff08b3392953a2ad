import type { Payment } from '@tillkit/till'
import { toNdjson } from '@tillkit/till/export'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { refusal, tillOf } from '../till-of.ts'
import { anyPayment, aPayment } from './payments.ts'

async function piecesOf(payments: AsyncIterable<Payment> | Iterable<Payment>): Promise<string[]> {
  const pieces: string[] = []
  for await (const piece of toNdjson(payments)) pieces.push(piece)
  return pieces
}

test('each line is a payment, whatever stands in it, and each piece is whole lines', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyPayment, { maxLength: 120 }), async payments => {
      const pieces = await piecesOf(payments)
      for (const piece of pieces) expect(piece.endsWith('\n')).toBe(true)
      const lines = pieces.join('').split('\n').slice(0, -1)
      expect(lines.map(line => JSON.parse(line))).toEqual(payments)
    }),
    { numRuns: 30 },
  )
  expect(await piecesOf([])).toEqual([])
})

test('takes what a till exports', async () => {
  const { till, pay } = await tillOf()
  for (let n = 0; n < 120; n++) await pay({ extra: { n: `${n}` } })
  const { items } = await till.payments.list('shop', { perPage: 100, offset: 20 })
  const [first, second] = await piecesOf(till.payments.export('shop'))
  expect(first?.split('\n').length).toBe(101)
  expect(second?.split('\n').length).toBe(21)
  expect(JSON.parse(first?.split('\n')[0] ?? '')).toEqual(items.at(-1))
  expect(JSON.stringify(aPayment())).toBe((await piecesOf([aPayment()])).join('').trim())
})

test('what is no list is named', async () => {
  for (const wrong of [undefined, null, 7, 'text', {}]) {
    expect(await refusal(toNdjson(wrong as never).next())).toBe(
      'invalid_input: payments must be an iterable of payments',
    )
  }
})
