import { memoryStorage } from '@tillkit/storage/memory'
import { createTill, type Till, type TillOptions } from '@tillkit/till'

/** A till over memory whose clock is set by hand, with one merchant and one of its scan codes. */
export async function tillOf(options: Partial<TillOptions> = {}) {
  const storage = options.storage ?? memoryStorage()
  const clock = { now: new Date('2026-11-20T09:30:00.250Z') }
  const till: Till = createTill({ clock: () => clock.now, logger: false, ...options, storage })
  const merchant = await till.merchants.create({
    id: 'shop',
    name: 'Corner Coffee',
    features: { tips: true, userReferences: true },
  })
  const { code } = await till.scanCodes.create(merchant.id, { reference: 'Counter' })
  const pay = (payment: Partial<Parameters<Till['payments']['start']>[0]> = {}) =>
    till.payments.start({ scanCode: code, totalAmount: 1250, ...payment })
  return { till, storage, clock, merchant, code, pay }
}

/** What `promise` was refused with: the code and the message of its `TillError`. */
export async function refusal(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    const { name, code, message } = error as { name: string; code: string; message: string }
    if (name === 'TillError') return `${code}: ${message}`
    throw error
  }
  return 'was not refused'
}
