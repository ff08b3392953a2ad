import type {
  DeliveryState,
  Extra,
  MerchantPatch,
  NewPayment,
  Outcome,
  PaymentFilter,
  PaymentName,
  Slice,
} from '@tillkit/domain'
import type { Arbitrary } from 'fast-check'
import { dateAt, WEBHOOK_URL } from '../scene.ts'

/** The part of fast-check that the property is made with: `import fc from 'fast-check'` has it. */
export type FastCheck = Pick<
  typeof import('fast-check'),
  | 'array'
  | 'assert'
  | 'asyncProperty'
  | 'boolean'
  | 'constantFrom'
  | 'integer'
  | 'oneof'
  | 'option'
  | 'record'
  | 'subarray'
>

/** One call of a store. `merchant` is 0 or 1; `nth` picks one of the cash ups made, or of the deliveries claimed, before. */
export type Call =
  | { call: 'start'; merchant: number; fields: Partial<NewPayment> }
  | { call: 'resolve'; merchant: number; id: number; outcome: Outcome; leaseSeconds: number | null }
  | { call: 'settle'; merchant: number; statementReference: string; ids: number[] }
  | { call: 'settleEach'; merchant: number; statementReference: string; ids: number[]; fee: number }
  | { call: 'meant'; merchant: number; name: PaymentName; age: number | null }
  | { call: 'unsettled'; merchant: number; id: number; length: number }
  | { call: 'totals'; statementReference: string }
  | { call: 'get'; merchant: number; id: number }
  | { call: 'list'; merchant: number; filter: PaymentFilter; slice: Slice }
  | { call: 'walk'; merchant: number; filter: PaymentFilter; limit: number }
  | { call: 'pendingSince'; nth: number }
  | { call: 'cashUp'; merchant: number; idempotencyKey: string | null }
  | { call: 'cashUps'; merchant: number; slice: Slice }
  | { call: 'period'; merchant: number; nth: number; slice: Slice }
  | { call: 'report'; merchant: number; nth: number; open: boolean }
  | { call: 'takings'; merchant: number }
  | { call: 'update'; merchant: number; patch: MerchantPatch }
  | { call: 'suspend'; merchant: number; code: boolean }
  | { call: 'resume'; merchant: number; code: boolean }
  | { call: 'claim'; leaseSeconds: number }
  | { call: 'record'; nth: number; state: DeliveryState; retrySeconds: number }
  | { call: 'release'; nth: number }
  | { call: 'requeue'; merchant: number; id: number }
  | { call: 'requeueRange'; merchant: number; id: number; age: number; state: DeliveryState | undefined }
  | { call: 'pause'; merchant: number; age: number }
  | { call: 'wake'; merchant: number }
  | { call: 'deliveries'; merchant: number; state: DeliveryState | undefined; slice: Slice }

/** Stands for the merchant's own scan code, which may be suspended; others are of nobody. */
export const OWN_CODE = 'own'

/** A call, and by how many seconds the clock moves before it. */
export type Step = Call & { seconds: number }

/** Sequences of steps. Few values everywhere, so that references, keys and ids meet. */
export function arbitrarySteps(fc: FastCheck) {
  const merchant = fc.integer({ min: 0, max: 1 })
  const id = fc.integer({ min: 1, max: 8 })
  const nth = fc.integer({ min: 0, max: 5 })
  const amount = fc.integer({ min: 0, max: 3 })
  const reference = fc.constantFrom('a', 'A', 'a ')
  const maybe = <Value>(values: Parameters<typeof fc.option<Value>>[0]) => fc.option(values, { nil: null })
  const slice = fc.record({
    skip: fc.oneof(fc.integer({ min: 0, max: 8 }), fc.constantFrom(0, Number.MAX_SAFE_INTEGER)),
    limit: fc.integer({ min: 1, max: 8 }),
  })
  const date = fc.integer({ min: -4, max: 16 }).map(n => dateAt(10 * n))
  const status = fc.subarray(['pending', 'completed', 'error'] as const, { minLength: 1 })

  const fields = fc.record({
    totalAmount: amount,
    tipAmount: maybe(amount),
    requiredAmount: maybe(amount),
    strict: fc.boolean(),
    merchantReference: maybe(reference),
    userReference: maybe(reference),
    scanCode: fc.constantFrom('till-1', 'till-2', OWN_CODE),
    scanCodeReference: maybe(reference),
    attemptKey: fc.option(reference, { nil: null, freq: 2 }),
    authCode: maybe(fc.constantFrom('000001', '1')),
    extra: fc.constantFrom<Extra>({}, { waiter: 'Ann' }),
  })
  const filters = {
    startDate: date,
    endDate: date,
    status,
    scanCode: fc.constantFrom('till-1', 'till-2'),
    scanCodeReference: reference,
    userReference: reference,
    merchantReference: reference,
    statementReference: reference,
  }
  const filter: Arbitrary<PaymentFilter> = fc.oneof(
    fc.record({ startDate: date }),
    fc.record({ endDate: date }),
    fc.record({ startDate: date, endDate: date }, { requiredKeys: [] }),
    fc.record({ status, scanCode: filters.scanCode, startDate: date }, { requiredKeys: [] }),
    fc.record(filters, { requiredKeys: [] }),
  )
  const outcome = fc.constantFrom<Outcome>(
    { status: 'completed' },
    { status: 'completed' },
    { status: 'error', failure: null },
    { status: 'error', failure: 'declined' },
  )
  const patch = fc.constantFrom<MerchantPatch>(
    { webhookUrl: null },
    { webhookUrl: WEBHOOK_URL },
    { name: 'Renamed' },
    { features: { tips: true } },
  )
  const state = fc.constantFrom<DeliveryState>('pending', 'delivered', 'exhausted')
  const seconds = fc.constantFrom(0, 0, 10, 10, 20, -20, 0.25)
  const is = <Name extends Call['call']>(call: Name) => fc.constantFrom(call)

  const ids = fc.array(id, { maxLength: 3 })
  const nobody = { id: null, merchantReference: null, authCode: null }
  const code = fc.constantFrom('000001', '1')
  const name: Arbitrary<PaymentName> = fc.oneof(
    fc.record({ id, merchantReference: maybe(reference), authCode: maybe(code) }),
    fc.record({ id: fc.constantFrom(null), merchantReference: reference, authCode: maybe(code) }),
    code.map(authCode => ({ ...nobody, authCode })),
  )
  const idempotencyKey = maybe(reference)
  const some = fc.option(state, { nil: undefined })
  const age = fc.constantFrom(0, 20, 100)
  const lease = fc.constantFrom(5, 60)

  const often = [
    fc.record({ call: is('start'), seconds, merchant, fields }),
    fc.record({ call: is('resolve'), seconds, merchant, id, outcome, leaseSeconds: maybe(lease) }),
    fc.record({ call: is('list'), seconds, merchant, filter, slice }),
    fc.record({ call: is('settle'), seconds, merchant, statementReference: reference, ids }),
    fc.record({
      ...{ call: is('settleEach'), seconds, merchant, statementReference: reference, ids },
      fee: fc.integer({ min: -2, max: 2 }),
    }),
  ]
  const sometimes = [
    fc.record({ call: is('meant'), seconds, merchant, name, age: maybe(fc.integer({ min: 0, max: 50 })) }),
    fc.record({ call: is('unsettled'), seconds, merchant, id, length: fc.integer({ min: 0, max: 8 }) }),
    fc.record({ call: is('totals'), seconds, statementReference: reference }),
    fc.record({ call: is('get'), seconds, merchant, id }),
    fc.record({ call: is('walk'), seconds, merchant, filter, limit: fc.integer({ min: 1, max: 8 }) }),
    fc.record({ call: is('pendingSince'), seconds, nth }),
    fc.record({ call: is('cashUp'), seconds, merchant, idempotencyKey }),
    fc.record({ call: is('cashUps'), seconds, merchant, slice }),
    fc.record({ call: is('period'), seconds, merchant, nth, slice }),
    fc.record({ call: is('report'), seconds, merchant, nth, open: fc.boolean() }),
    fc.record({ call: is('takings'), seconds, merchant }),
    fc.record({ call: is('update'), seconds, merchant, patch }),
    fc.record({ call: is('suspend'), seconds, merchant, code: fc.boolean() }),
    fc.record({ call: is('resume'), seconds, merchant, code: fc.boolean() }),
    fc.record({ call: is('resume'), seconds, merchant, code: fc.boolean() }),
    fc.record({ call: is('claim'), seconds, leaseSeconds: lease }),
    fc.record({ call: is('record'), seconds, nth, state, retrySeconds: fc.constantFrom(5, 300) }),
    fc.record({ call: is('release'), seconds, nth }),
    fc.record({ call: is('requeue'), seconds, merchant, id }),
    fc.record({ call: is('requeueRange'), seconds, merchant, id, age, state: some }),
    fc.record({ call: is('pause'), seconds, merchant, age }),
    fc.record({ call: is('wake'), seconds, merchant }),
    fc.record({ call: is('deliveries'), seconds, merchant, state: some, slice }),
  ]
  const step = fc.oneof(...often, ...often, ...often, ...sometimes)
  return fc.array<Step>(step, { minLength: 1, maxLength: 80, size: 'max' })
}
