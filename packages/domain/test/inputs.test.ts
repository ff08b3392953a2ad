import type {
  CashUp,
  cashUpSchema,
  DeliveryRange,
  DevicePaymentObject,
  deliveryRange,
  devicePaymentObjectSchema,
  MerchantPatch,
  MerchantRange,
  merchantPatch,
  merchantRange,
  NewApiKey,
  NewCashUp,
  NewMerchant,
  NewScanCode,
  newApiKey,
  newCashUp,
  newMerchant,
  newScanCode,
  PageRequest,
  PaymentFilter,
  PaymentFilterInput,
  PaymentObject,
  PurgeDeliveries,
  pageRequest,
  paymentFilter,
  paymentObjectSchema,
  purgeDeliveries,
  RedeliverSince,
  redeliverSince,
  Settlement,
  StartPayment,
  StatementRow,
  settlement,
  startPayment,
  statementRow,
} from '@tillkit/domain'
import { expectTypeOf, test } from 'vitest'
import type { z } from 'zod'

// What a schema takes is written out as an interface beside it: published declarations keep the words of that, and lose
// those of an inferred type. `npm run typecheck` finds where the two part.
test('each schema takes what its interface says', () => {
  expectTypeOf<NewMerchant>().toEqualTypeOf<z.input<typeof newMerchant>>()
  expectTypeOf<MerchantPatch>().toEqualTypeOf<z.input<typeof merchantPatch>>()
  expectTypeOf<MerchantRange>().toEqualTypeOf<z.input<typeof merchantRange>>()
  expectTypeOf<NewApiKey>().toEqualTypeOf<z.input<typeof newApiKey>>()
  expectTypeOf<NewScanCode>().toEqualTypeOf<z.input<typeof newScanCode>>()
  expectTypeOf<NewCashUp>().toEqualTypeOf<z.input<typeof newCashUp>>()
  expectTypeOf<StartPayment>().toEqualTypeOf<z.input<typeof startPayment>>()
  expectTypeOf<StatementRow>().toEqualTypeOf<z.input<typeof statementRow>>()
  expectTypeOf<Settlement>().toEqualTypeOf<z.input<typeof settlement>>()
  expectTypeOf<PageRequest>().toEqualTypeOf<z.input<typeof pageRequest>>()
  expectTypeOf<DeliveryRange>().toEqualTypeOf<z.input<typeof deliveryRange>>()
  expectTypeOf<RedeliverSince>().toEqualTypeOf<z.input<typeof redeliverSince>>()
  expectTypeOf<PurgeDeliveries>().toEqualTypeOf<z.input<typeof purgeDeliveries>>()
})

test('the filters say what their schema takes and makes of it', () => {
  // A status may be text as well, which the schema takes apart before it looks.
  type Filters = Omit<z.input<typeof paymentFilter>, 'status'>
  expectTypeOf<Omit<PaymentFilterInput, 'status'>>().toEqualTypeOf<Filters>()
  expectTypeOf<PaymentFilter>().toEqualTypeOf<z.output<typeof paymentFilter>>()
})

test('what is on the wire is what its schema describes', () => {
  expectTypeOf<PaymentObject>().toEqualTypeOf<z.output<typeof paymentObjectSchema>>()
  expectTypeOf<DevicePaymentObject>().toEqualTypeOf<z.output<typeof devicePaymentObjectSchema>>()
  expectTypeOf<CashUp>().toEqualTypeOf<z.output<typeof cashUpSchema>>()
})
