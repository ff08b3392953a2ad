import { TillError } from '@tillkit/domain'
import { z } from 'zod'

/** What makes the pages a host's own. */
export interface Brand {
  /** Shown at the head of each page, or said of the logo. */
  name?: string
  /** The address of an image, https or `data:image/…`. */
  logo?: string
  /** The colour of buttons, `#rrggbb`. The writing on them is black or white, whichever can be read. */
  colour?: string
}

/** The option `brand` of whoever writes pages. The address of the logo is looked at by `logoSource`. */
export const brandOption = z.strictObject({
  name: z.string().optional(),
  logo: z.string().optional(),
  colour: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #2a4bd7')
    .optional(),
})

/** The colour of buttons where a brand has none. */
export const DEFAULT_COLOUR = '#2a4bd7'

/** Black or white, whichever stands out more from `colour` (WCAG 2, relative luminance). */
export function inkOn(colour: string): '#000' | '#fff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return luminance > 0.179 ? '#000' : '#fff'
}

/** What a content security policy must allow for the logo; empty without one. */
export function logoSource({ logo }: Brand): string {
  if (logo === undefined) return ''
  if (logo.startsWith('data:image/')) return 'data:'
  if (!URL.canParse(logo) || new URL(logo).protocol !== 'https:') {
    throw new TillError('invalid_input', 'brand.logo must be an https URL or a data:image/ URL')
  }
  return new URL(logo).origin
}
