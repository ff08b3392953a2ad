import type { OptionText } from '../program/command-spec.ts'
import { UsageError } from '../program/usage-error.ts'

/** The flags of a list that comes in pages, as the API has them. */
export const PAGE_OPTIONS: readonly OptionText[] = [
  ['--page <number>', 'which page (default: 1)'],
  ['--per-page <number>', 'how many a page has, up to 100 (default: 50)'],
  ['--offset <number>', 'how many are skipped before page 1 (default: 0)'],
]

/** What commander makes of them. */
export interface PageFlags {
  page?: string
  perPage?: string
  offset?: string
}

interface PageNumbers {
  page: number
  perPage: number
  offset: number
}

/** The page that the flags ask for; the till says what is out of bounds. */
export function pageOf({ page, perPage, offset }: PageFlags): PageNumbers {
  return {
    page: number('--page', page) ?? 1,
    perPage: number('--per-page', perPage) ?? 50,
    offset: number('--offset', offset) ?? 0,
  }
}

/** A whole number of a flag or an argument. Throws `UsageError` that names it. */
export function number(called: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (/^\d{1,16}$/.test(given) && Number.isSafeInteger(Number(given))) return Number(given)
  throw new UsageError(`${called} must be a whole number, not ${given}`)
}

/** Where a page stands: `51 to 100 of 1,250`. */
export function pageNote(
  { items, total }: { items: readonly unknown[]; total: number },
  { page, perPage, offset }: PageNumbers,
): string {
  if (total === 0) return 'there are none'
  const before = offset + (page - 1) * perPage
  const all = `${total.toLocaleString('en')} in all`
  if (items.length === 0) return `none on this page; ${all}`
  return `${(before + 1).toLocaleString('en')} to ${(before + items.length).toLocaleString('en')} of ${total.toLocaleString('en')}`
}
