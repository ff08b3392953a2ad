import { MAX_REFERENCE_LENGTH } from '@tillkit/domain'

/** As much of a text as a reference may have, in whole characters: half of one is no text that can be looked for, or kept. */
export function beginning(text: string): string {
  // Characters have two halves at most, and a text may be as long as a form.
  return [...text.slice(0, 2 * MAX_REFERENCE_LENGTH)].slice(0, MAX_REFERENCE_LENGTH).join('')
}
