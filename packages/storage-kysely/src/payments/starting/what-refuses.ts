import type { Dialect } from '../../dialects/dialect.ts'
import type { Database } from '../../session/database.ts'
import { hasAttemptKey } from './has-attempt-key.ts'

type Builder = Pick<Database['builder'], 'selectFrom'>

/** The scan code, where it is suspended. */
export function suspendedCode(builder: Builder, scanCode: string) {
  return builder
    .selectFrom('scan_codes')
    .select('code')
    .where('code', '=', scanCode)
    .where('scan_codes.suspended_at', 'is not', null)
}

/** The payment that an attempt key has started before; of no key there is none. */
export function startedBefore(
  builder: Builder,
  dialect: Dialect,
  merchantId: string,
  attemptKey: string | null,
) {
  return builder
    .selectFrom('payments')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where(hasAttemptKey(dialect, attemptKey))
}
