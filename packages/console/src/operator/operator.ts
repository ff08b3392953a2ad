import { merchantId, validate } from '@tillkit/domain'
import type { HttpRequest } from '@tillkit/http'
import { z } from 'zod'
import { PERMISSIONS, type Permission } from './permissions.ts'

/** Who asks, as the host's `authorize` says. */
export interface Operator {
  /** Stands at the head of each page and in the log of actions: text of 1 to 255 characters. */
  name: string
  /** What this one may do; the console's own `permissions` when left out. */
  permissions?: readonly Permission[] | undefined
  /** The merchants that this one may see, by id; all when left out. With one it is that merchant's own portal. */
  merchants?: readonly string[] | undefined
}

/** Tells who sends a request, by the host's own login; null for nobody. What it throws is a 500, logged and masked. */
export type Authorize = (request: HttpRequest) => Operator | null | Promise<Operator | null>

/** An operator as pages ask about one. */
export interface Visitor {
  /** Who it is. */
  name: string
  /** The merchants that may be seen; null for all. */
  merchants: readonly string[] | null
  /** Whether this is allowed. */
  may(permission: Permission): boolean
  /** Whether this merchant may be seen. */
  sees(merchantId: string): boolean
}

export const permissionList = z.array(
  z.enum(PERMISSIONS, `must be of ${PERMISSIONS.join(', ')}`) as z.ZodType<Permission>,
)

const operator = z.object({
  name: z.string().min(1, 'must not be empty').max(255, 'must be at most 255 characters'),
  permissions: permissionList.optional(),
  merchants: z.array(merchantId).max(1000, 'must be at most 1000').optional(),
})

/** Checks what `authorize` answered. Throws where it is neither null nor an operator: nobody is let in by mistake. */
export function visitorOf(answer: unknown, permissions: readonly Permission[]): Visitor | null {
  if (answer === null) return null
  const checked = checkedAnswer(answer)
  const allowed = new Set(checked.permissions ?? permissions)
  const merchants = checked.merchants ? [...new Set(checked.merchants)].sort() : null
  return {
    name: checked.name,
    merchants,
    may: permission => allowed.has(permission),
    sees: id => merchants === null || merchants.includes(id),
  }
}

/** It is the host's fault, and not that of whoever asks. */
function checkedAnswer(answer: unknown) {
  try {
    return validate(operator, answer, 'the answer of authorize')
  } catch (error) {
    throw new TypeError('authorize answered neither null nor an operator', { cause: error })
  }
}
