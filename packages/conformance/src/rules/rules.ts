import type { Rule } from '../session/rule.ts'
import { browsers, requestIds } from './browsers.ts'
import { cashUps } from './cash-ups.ts'
import { errors, limits } from './errors.ts'
import { form } from './form.ts'
import { memory } from './memory.ts'
import { order } from './order.ts'
import { pages } from './pages.ts'
import { oneForm, payments } from './payments.ts'

/** What each answer is held to. Some remember what they saw: they are made for one run. */
export function rulesFor(origin: string): readonly Rule[] {
  return [
    ...form,
    ...browsers(origin),
    requestIds(),
    ...errors,
    limits(),
    ...payments,
    oneForm(),
    memory(),
    ...order,
    ...cashUps,
    ...pages,
  ]
}
