import { z } from 'zod'
import type { Answer } from '../network/answer.ts'
import type { Rule } from '../session/rule.ts'
import { isOnePayment, listOf, paymentsOf, shown } from './kinds.ts'

const amount = z.int().min(0)
const text = z.string().refine(value => !value.includes('\0'), 'must not contain NUL')
const reference = text.refine(value => [...value].length <= 255, 'must have up to 255 characters').nullable()

/** `2026-11-20T09:30:00Z` (API 2). */
export const wireDate = z
  .string()
  .refine(
    value =>
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value) &&
      !Number.isNaN(Date.parse(value)) &&
      new Date(value).toISOString() === value.replace('Z', '.000Z'),
    'must be UTC in whole seconds, such as 2026-11-20T09:30:00Z',
  )

const always = {
  id: z.int().min(1),
  status: z.enum(['pending', 'completed', 'error']),
  date: wireDate,
  totalAmount: amount,
  tipAmount: amount.nullable(),
  scanCode: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  scanCodeReference: reference,
  userReference: reference,
  statementReference: reference,
  requiredAmount: amount.nullable(),
  merchantReference: reference,
  authCode: z
    .string()
    .regex(/^\d{6}$/, 'must be six digits')
    .nullable(),
  extra: z.record(z.string(), z.string()),
}
const ofVouchers = z.object({ ...always, isVoucher: z.boolean(), isVoucherRedemption: z.boolean() })
const ofDevices = z.object({
  ...always,
  deviceSerialNumber: text.nullable(),
  transactionType: z.literal('payment'),
})

const isDeviceForm = (payment: Record<string, unknown>) =>
  'transactionType' in payment || 'deviceSerialNumber' in payment

/** What a payment object has in one form or the other. */
function problemsOf(payment: Record<string, unknown>, inList: boolean): string[] {
  const schema = inList && isDeviceForm(payment) ? ofDevices : ofVouchers
  const { error } = schema.safeParse(payment)
  return (error?.issues ?? []).map(({ path, message }) => {
    const key = String(path[0])
    const problem = key in payment ? `is ${shown(payment[key])}: ${message}` : 'is missing'
    return `payment ${shown(payment.id)}: ${path.join('.')} ${problem}`
  })
}

/** API 2.1: every payment that is seen. */
export const payments: readonly Rule[] = [
  {
    name: 'payment-object',
    section: '2.1',
    title: 'each payment has all its keys, with their types, null for what does not apply',
    applies: answer => paymentsOf(answer).length > 0,
    look(answer, differ) {
      for (const payment of paymentsOf(answer)) {
        for (const problem of problemsOf(payment, !isOnePayment(answer))) differ(problem)
      }
    },
  },
  {
    name: 'payment-values',
    section: '2.1',
    title: 'tip within total, authCode with amount and reference, settled only when completed',
    applies: answer => paymentsOf(answer).length > 0,
    look(answer, differ) {
      for (const payment of paymentsOf(answer)) {
        const { id, totalAmount, tipAmount, requiredAmount, merchantReference, authCode } = payment
        if (Number(tipAmount ?? 0) > Number(totalAmount)) {
          differ(`payment ${id}: totalAmount ${totalAmount} does not include tipAmount ${tipAmount}`)
        }
        const hasBoth = requiredAmount !== null && merchantReference !== null
        if (hasBoth !== (authCode !== null)) {
          differ(
            `payment ${id}: authCode should be ${hasBoth ? 'six digits' : 'null'}, and is ${shown(authCode)}`,
          )
        }
        if (payment.statementReference !== null && payment.status !== 'completed') {
          differ(`payment ${id}: statementReference is there, and status is ${shown(payment.status)}`)
        }
      }
    },
  },
]

/** API 2.1: one account's lists have one form. */
export function oneForm(): Rule {
  let devices: boolean | null = null
  return {
    name: 'list-form',
    section: '2.1',
    title: 'lists show voucher flags, or devices, and always the same',
    applies: answer => listOf(answer) !== null && paymentsOf(answer).length > 0,
    look(answer: Answer, differ) {
      for (const payment of paymentsOf(answer)) {
        const has = isDeviceForm(payment)
        devices ??= has
        if (has !== devices)
          differ(`payment ${payment.id} is shown in another form than payments of other lists`)
      }
    },
  }
}
