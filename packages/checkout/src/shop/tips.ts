import { z } from 'zod'

/** A tip to choose: so many per cent of the amount, rounded to a cent, or so many cents. */
export type TipPreset =
  | {
      /** Above 0 and up to 100, with two decimals at most: `12.5`. */
      percent: number
    }
  | {
      /** Cents. */
      amount: number
    }

/** So many fit beside one another on a phone. */
const MOST = 6

const preset = z.custom<TipPreset>(
  isPreset,
  'must be { percent } above 0 and up to 100 with two decimals at most, or { amount } in cents',
)

/** The schema of the presets of a shop. */
export const tipPresets = z
  .array(preset)
  .max(MOST, `must be at most ${MOST}`)
  .refine(presets => new Set(presets.map(tipName)).size === presets.length, 'must not name a tip twice')

/** What the form calls a preset: the tip itself, so that another list of the host's cannot give it another meaning. */
export function tipName(preset: TipPreset): string {
  return 'percent' in preset ? `${preset.percent}%` : String(preset.amount)
}

/** A preset's cents; null where they hang on an amount that is not known. */
export function tipCents(preset: TipPreset, amount: number | null): number | null {
  if ('amount' in preset) return preset.amount
  return amount === null ? null : share(amount, hundredths(preset.percent))
}

/** Hundredths of a per cent, a whole number. */
export function hundredths(percent: number): number {
  return Math.round(percent * 100)
}

function isPreset(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 1) return false
  const { percent, amount } = value as Record<string, unknown>
  if (amount !== undefined) return Number.isSafeInteger(amount) && Number(amount) > 0
  if (typeof percent !== 'number' || percent <= 0 || percent > 100) return false
  return hundredths(percent) / 100 === percent
}

/** Half a cent is rounded up. In two parts, since amounts times percents are no safe integers any more. */
function share(cents: number, hundredths: number): number {
  const rest = cents % 10_000
  return ((cents - rest) / 10_000) * hundredths + Math.floor((rest * hundredths + 5_000) / 10_000)
}
