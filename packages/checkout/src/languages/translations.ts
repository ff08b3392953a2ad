import type { Texts } from '../pages/texts.ts'
import { afrikaans } from './afrikaans.ts'
import { dutch } from './dutch.ts'
import { english } from './english.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { italian } from './italian.ts'
import { portuguese } from './portuguese.ts'
import { spanish } from './spanish.ts'

/** The languages that pages are offered in where the host names no others. */
export const translations: readonly Texts[] = [
  english,
  german,
  french,
  dutch,
  spanish,
  portuguese,
  italian,
  afrikaans,
]
