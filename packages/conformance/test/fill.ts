import type { Till } from '@tillkit/till'

/** Lets some weeks of a shop go by: all statuses, references that are nearly the same, settlements, cash ups, one not ready. */
export async function fill(till: Till, clock: { now: Date }): Promise<void> {
  const wait = (seconds: number) => {
    clock.now = new Date(clock.now.getTime() + seconds * 1000)
  }
  const completed: number[] = []
  for (let i = 1; i <= 130; i++) {
    if (i % 3 > 0) wait(i % 7 === 0 ? 86_400 : 61)
    const tipAmount = i % 4 === 0 ? 50 : 0
    const requiredAmount = i % 2 === 0 ? 1000 + i : undefined
    const payment = await till.payments.start({
      scanCode: i % 5 === 0 ? 'terrace' : 'counter',
      totalAmount: 1000 + i + tipAmount,
      tipAmount,
      requiredAmount,
      merchantReference: i % 3 === 0 ? `order-${i % 6 === 0 ? i : 3}` : i % 11 === 0 ? 'ORDER-3' : undefined,
      userReference: i % 8 === 0 ? 'Zoë & Ida' : i % 9 === 0 ? 'zoë & ida ' : undefined,
      extra: i % 10 === 0 ? { table: '7', 'a b': 'é & "quotes"  two spaces' } : undefined,
      isVoucher: i % 13 === 0,
      isVoucherRedemption: i % 17 === 0,
    })
    if (i % 6 === 5) await till.payments.fail(payment, { failure: 'declined' })
    else if (i < 100 || i % 10 !== 0) completed.push((await till.payments.complete(payment)).id)
    if (i === 30 || i === 60 || i === 60 + 1 || i === 95 || i === 115) {
      wait(3600)
      await till.cashUps.create('coffee')
      wait(3600)
    }
  }
  for (const [from, statementReference] of [
    [0, 'ST 2026-03'],
    [20, 'ST 2026-04'],
  ] as const) {
    const paymentIds = completed.slice(from, from + 20)
    await till.payments.settle('coffee', { statementReference, paymentIds })
  }
}
