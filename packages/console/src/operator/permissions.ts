/**
 * What somebody may do in the console. Each page and each action asks for one.
 *
 * - `read`: look at every page, and take payments away as CSV.
 * - `merchants`: add merchants, change, suspend and resume them.
 * - `keys`: issue and revoke API keys, and issue webhook keys, each shown once.
 * - `codes`: add scan codes, suspend and resume them.
 * - `webhooks`: send webhooks again, and tests.
 * - `cash_ups`: end a period.
 * - `resolve`: ask the processor about payments without an outcome, and record what it knows.
 * - `settle`: import settlements.
 * - `audit`: see what others did here.
 */
export const PERMISSIONS = [
  'read',
  'merchants',
  'keys',
  'codes',
  'webhooks',
  'cash_ups',
  'resolve',
  'settle',
  'audit',
] as const

/** What somebody may do in the console. */
export type Permission = (typeof PERMISSIONS)[number]
