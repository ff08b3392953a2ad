import type { Settings } from './settings.ts'
import { type Answer, unfit } from './transport/answer.ts'
import { type ApiRequest, type QueryValue, requestFor } from './transport/request.ts'
import type { NameGroup } from './vocabulary/names.ts'

/** Which records of a list (API 4.1). */
export interface PageQuery {
  /** From 1 on; 1 when left out. */
  page?: number | undefined
  /** 1 to 100; 50 when left out. */
  perPage?: number | undefined
  /** Records that are skipped before page 1; 0 when left out. */
  offset?: number | undefined
}

/** A page of a list (API 4.1). */
export interface Page<Item> {
  /** The records of the page. */
  items: Item[]
  /** Records of the whole query, `offset` not taken off. */
  total: number
  /** Pages after `offset`. */
  totalPages: number
  /** Which page this is. */
  page: number
  /** How many records a page has. */
  perPage: number
  /** The next page; null where there is none. */
  nextPage: number | null
  /** The page before; null where there is none. */
  prevPage: number | null
  /** Records that were skipped before page 1. */
  offset: number
}

/** Sends a request: `send`, or `sendBefore` with a deadline. */
export type Sender = (request: ApiRequest) => Promise<Answer>

/** Where a list is, and how its objects are recognised. */
export interface List<Item> {
  segments: readonly string[]
  group: NameGroup
  isItem(object: object): object is Item & object
}

/** Asks for one page of a list. */
export async function getPage<Item>(
  settings: Settings,
  { segments, group, isItem }: List<Item>,
  query: Record<string, QueryValue>,
  send: Sender,
): Promise<Page<Item>> {
  const request = requestFor(settings, 'GET', segments, query)
  const answer = await send(request)
  if (!Array.isArray(answer.value)) throw unfit(answer, request, 'no list')
  const items = answer.value.map(value => {
    const object = typeof value === 'object' && value !== null ? settings.words.ours(group, value) : {}
    if (!isItem(object)) throw unfit(answer, request, 'a list of something else')
    return object
  })
  const header = (name: string) => integerOf(answer.headers.get(name))
  const [total, totalPages] = [header('x-total'), header('x-total-pages')]
  const [page, perPage, offset] = [header('x-page'), header('x-per-page'), header('x-offset')]
  if (total === null || totalPages === null || page === null || perPage === null || offset === null) {
    throw unfit(answer, request, 'a list without its headers X-Total to X-Offset')
  }
  const [nextPage, prevPage] = [header('x-next-page'), header('x-prev-page')]
  return { items, total, totalPages, page, perPage, nextPage, prevPage, offset }
}

function integerOf(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null
}

/** The parameters of a page; throws a TypeError for those that are no whole numbers in their limits. */
export function pageParameters({ page, perPage, offset }: PageQuery): Record<string, QueryValue> {
  return {
    page: whole('page', page, 1, Number.MAX_SAFE_INTEGER),
    perPage: whole('perPage', perPage, 1, 100),
    offset: whole('offset', offset, 0, Number.MAX_SAFE_INTEGER),
  }
}

/** Throws a TypeError naming what is not a whole number in its limits. */
export function whole(name: string, value: unknown, least: number, most: number): number | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  const limits = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`
  throw new TypeError(`${name} must be a whole number, ${limits}`)
}

/** Throws a TypeError for a name of a query that nothing has: the API would ignore it and answer with more than was asked for. */
export function refuseUnknown(query: unknown, known: readonly string[]): void {
  if (typeof query !== 'object' || query === null) throw new TypeError('query must be an object')
  const unknown = Object.keys(query).find(name => !known.includes(name))
  if (unknown !== undefined) throw new TypeError(`${unknown} is not one of ${known.join(', ')}`)
}
