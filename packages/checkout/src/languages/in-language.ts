import type { HttpRequest } from '@tillkit/http'
import type { Logger } from '@tillkit/till'
import type { Texts } from '../pages/texts.ts'
import { type Accepted, acceptedOf } from './accepted.ts'
import { type Speech, speech } from './speech.ts'

/** Which language a page is in: one for all customers, or for each request; undefined leaves it to the browser. */
export type LanguageOption = string | ((request: HttpRequest) => string | undefined)

/** What the language of a page is chosen from, and how. */
export interface LanguageSettings {
  /** By the language that each names. */
  offered: ReadonlyMap<string, Texts>
  /** The language of customers who ask for none of these. */
  house: Texts
  language?: LanguageOption | undefined
  /** How the host's own customers write amounts. */
  locale: string
  currency: string
  logger: Pick<Logger, 'warn'>
}

/**
 * Makes of `build`, once for each language and region that a customer comes with, and gives what is a request's. There are as many
 * of them as `Intl` knows, whatever requests ask for.
 */
export function inLanguage<Built>(
  settings: LanguageSettings,
  build: (speech: Speech) => Built,
): (request: HttpRequest) => Built {
  const { offered, house, language, locale, currency, logger } = settings
  const names = [...offered.keys()]
  const built = new Map<string, Built>()

  function chosen(request: HttpRequest): Accepted | null {
    try {
      const wanted = typeof language === 'function' ? language(request) : language
      const found = wanted === undefined ? null : acceptedOf(wanted, names)
      if (found || typeof language === 'string') return found
    } catch (error) {
      logger.warn({ err: error }, 'language did not tell which: the browser is asked')
    }
    return acceptedOf(request.headers['accept-language'], names)
  }

  return request => {
    const accepted = chosen(request)
    const texts = (accepted && offered.get(accepted.language)) ?? house
    const written = accepted === null ? locale : localeOf(texts.language, accepted.asked, locale)
    const name = `${texts.language} ${written}`
    const known = built.get(name)
    if (known) return known
    const made = build(speech(texts, currency, written))
    built.set(name, made)
    return made
  }
}

/**
 * How a customer who asked for `asked` writes amounts: as the language of the texts does where the customer is from, and where that
 * is not said, where the host is.
 */
function localeOf(language: string, asked: string, house: string): string {
  const [texts, own] = [new Intl.Locale(language), new Intl.Locale(house)]
  const region = texts.region ?? regionOf(asked) ?? own.region
  if (texts.language === own.language && region === own.region) return house
  const wanted = region === undefined ? texts : new Intl.Locale(texts, { region })
  return new Intl.NumberFormat(wanted).resolvedOptions().locale
}

function regionOf(tag: string): string | undefined {
  return /^[a-z]{2,3}(?:-[a-z]{3}){0,3}(?:-[a-z]{4})?-([a-z]{2}|[0-9]{3})(?:-|$)/i.exec(tag)?.[1]
}
