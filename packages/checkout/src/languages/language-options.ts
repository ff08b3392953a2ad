import { TillError } from '@tillkit/domain'
import { z } from 'zod'
import type { Texts } from '../pages/texts.ts'
import { acceptedOf } from './accepted.ts'
import { english } from './english.ts'
import { translations } from './translations.ts'

/** Texts of the host's own, one or all. */
export interface GivenTexts extends Partial<Omit<Texts, 'failures' | 'wrongLinks'>> {
  /** What the page says of a failure, some or all. */
  failures?: Partial<Texts['failures']>
  /** What exactly is wrong with a link, some or all. */
  wrongLinks?: Partial<Texts['wrongLinks']>
}

const shape = Object.fromEntries(
  Object.keys(english)
    .filter(name => name !== 'failures' && name !== 'wrongLinks')
    .map(name => [name, z.string()]),
)
const allOf = (texts: object) =>
  z.object(Object.fromEntries(Object.keys(texts).map(name => [name, z.string()])))

/** The schema of the option `texts`: any of them. */
export const textsOption = z
  .strictObject({
    ...shape,
    failures: z.record(z.string(), z.string()),
    wrongLinks: allOf(english.wrongLinks).strict().partial(),
  })
  .partial() as unknown as z.ZodType<GivenTexts>

/** The schema of the option `languages`: in each, every text. */
export const languagesOption = z
  .array(
    z.strictObject({
      ...shape,
      failures: allOf(english.failures).catchall(z.string()),
      wrongLinks: allOf(english.wrongLinks).strict(),
    }) as unknown as z.ZodType<Texts>,
  )
  .min(1, 'must have one language at least')

/** The options that say which languages there are. */
interface LanguagesGiven {
  texts?: GivenTexts | undefined
  languages?: readonly Texts[] | undefined
  language?: unknown
  locale: string
}

/** The languages to choose from, by their names, and the one of customers who ask for none of them. */
export function languagesOf({ texts, languages, language, locale }: LanguagesGiven): {
  offered: ReadonlyMap<string, Texts>
  house: Texts
} {
  if (texts !== undefined) {
    const other = languages !== undefined ? 'languages' : language !== undefined ? 'language' : null
    if (other !== null)
      throw new TillError(
        'invalid_input',
        `texts is one language for everybody: it must not go with ${other}`,
      )
    return { offered: new Map(), house: wholeTexts(texts) }
  }
  // Of two for one language the later is the host's own.
  const offered = new Map((languages ?? translations).map(one => [one.language, one]))
  const names = [...offered.keys()]
  const fit = typeof language === 'string' ? acceptedOf(language, names) : null
  if (typeof language === 'string' && fit === null)
    throw new TillError('invalid_input', `language must be one that there are texts in: ${names.join(', ')}`)
  const own = (fit ?? acceptedOf(locale, names))?.language ?? 'en'
  return { offered, house: offered.get(own) ?? languages?.[0] ?? english }
}

/** What the host leaves out is said in the language that it names, or in English. */
function wholeTexts(given: GivenTexts): Texts {
  const { language = 'en' } = given
  const found = acceptedOf(
    language,
    translations.map(({ language }) => language),
  )
  const rest = translations.find(({ language }) => language === found?.language) ?? english
  return {
    ...rest,
    ...given,
    language,
    failures: { ...rest.failures, ...given.failures } as Texts['failures'],
    wrongLinks: { ...rest.wrongLinks, ...given.wrongLinks },
  }
}
