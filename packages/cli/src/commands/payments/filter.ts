import type { OptionText } from '../../program/command-spec.ts'

/** The API's filters of payments, as flags; several together must all hold. */
export const FILTER_OPTIONS: readonly OptionText[] = [
  ['--start-date <date>', 'started at or after it: 2026-11-20T00:00:00Z'],
  ['--end-date <date>', 'started before it'],
  ['--status <statuses>', 'of completed, error, pending, separated by commas'],
  ['--scan-code <code>', 'with this scan code'],
  ['--scan-code-reference <text>', 'with this reference of their scan code'],
  ['--user-reference <text>', 'with this reference of their customer'],
  ['--merchant-reference <text>', 'with this reference of their merchant'],
  ['--statement-reference <text>', 'settled under this reference'],
]

const NAMES = [
  'startDate',
  'endDate',
  'status',
  'scanCode',
  'scanCodeReference',
  'userReference',
  'merchantReference',
  'statementReference',
] as const

/** What commander makes of them. */
export type FilterFlags = { [Name in (typeof NAMES)[number]]?: string }

/** The filter that the flags ask for; the till says what is wrong with one. */
export function filterOf(flags: FilterFlags): FilterFlags {
  return Object.fromEntries(NAMES.filter(name => flags[name] !== undefined).map(name => [name, flags[name]]))
}
