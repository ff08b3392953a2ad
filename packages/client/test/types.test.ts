import type { CashUp, DevicePayment, Page, Payment, PaymentStatus } from '@tillkit/client'
import type * as domain from '@tillkit/domain'
import { expectTypeOf, test } from 'vitest'

test('the types are those of what the server sends', () => {
  expectTypeOf<PaymentStatus>().toEqualTypeOf<domain.PaymentStatus>()
  expectTypeOf<domain.PaymentObject>().toExtend<Payment>()
  expectTypeOf<keyof Payment>().toEqualTypeOf<keyof domain.PaymentObject>()
  expectTypeOf<domain.DevicePaymentObject>().toExtend<DevicePayment>()
  expectTypeOf<keyof DevicePayment>().toEqualTypeOf<keyof domain.DevicePaymentObject>()
  expectTypeOf<CashUp>().toEqualTypeOf<{ date: string; reference: string }>()
  expectTypeOf<Pick<domain.PagePosition, 'nextPage' | 'prevPage' | 'totalPages'>>().toEqualTypeOf<
    Pick<Page<Payment>, 'nextPage' | 'prevPage' | 'totalPages'>
  >()
})
