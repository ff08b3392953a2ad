import { z } from 'zod'

/** What a ledger begins from and how far its clock has come: kept in the name of its merchant, which nobody is shown. */
export interface Standing {
  /** What all that is made up in it comes from. */
  seed: string
  /** Its time, in Unix milliseconds. */
  now: number
}

/** Checks a seed. */
export const seed = z.string().regex(/^[A-Za-z0-9_.:-]{1,64}$/, 'must be 1 to 64 of A-Za-z0-9_.:-')

const LATEST = Date.parse('2999-12-31T23:59:59Z')

/** How far a clock may be moved. */
export const latest = new Date(LATEST)

const standing = z.strictObject({ seed, now: z.int().max(LATEST) })

/** As it is kept. */
export function formatStanding({ seed, now }: Standing): string {
  return JSON.stringify({ seed, now })
}

/** As it was kept. Throws for what never was. */
export function parseStanding(text: string): Standing {
  return standing.parse(JSON.parse(text))
}
