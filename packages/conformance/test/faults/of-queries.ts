import type { HttpRequest } from '@tillkit/http'
import type { Fault } from './of-forms.ts'
import { changed, eachList, error, hears, instead, isList } from './plant.ts'

const replaced = (pattern: RegExp, by: string) => hears(query => query.replace(pattern, by))

const isPeriod = ({ path }: HttpRequest) => path.startsWith('/payments/cash_ups/')

/** Faults of pages and filters. */
export const ofQueries: Fault[] = [
  [
    'beside an offset the page does not count',
    'pages-of-payments',
    {
      api: hears(query => (/offset=[1-9]/.test(query) ? query.replace(/\bpage=\d+/, 'page=1') : query)),
    },
  ],
  [
    'beside a page the offset does not count',
    'pages-of-payments',
    { api: hears(query => (/\bpage=/.test(query) ? query.replace(/offset=\d+/, 'offset=0') : query)) },
  ],
  ['a page has 50 records at most', 'page-headers', { api: replaced(/perPage=100/, 'perPage=50') }],
  [
    'no next page before the last',
    'page-headers',
    {
      api: changed(({ headers }) => {
        if (headers['X-Next-Page'] === headers['X-Total-Pages']) delete headers['X-Next-Page']
      }),
    },
  ],
  [
    'one page of nothing',
    'page-headers',
    {
      api: changed(({ headers }) => {
        if (headers['X-Total-Pages'] === '0') headers['X-Total-Pages'] = '1'
      }),
    },
  ],
  [
    'totals up to 100',
    'page-length',
    {
      api: changed(({ headers }) => {
        if (Number(headers['X-Total']) > 100) headers['X-Total'] = '100'
      }),
    },
  ],
  [
    'past the end is the last page',
    'page-length',
    {
      api: handler => async request => {
        const response = await handler(request)
        if (response.body !== '[]' || !isList(request)) return response
        return { ...response, body: '[{}]', headers: { ...response.headers, 'Content-Length': '4' } }
      },
    },
  ],
  [
    'deep pages are refused',
    'pages-of-payments',
    {
      api: instead(
        ({ query }) => /page=1000000/.test(query),
        () => error(400, 'invalid_parameter'),
      ),
    },
  ],
  [
    'payments of one second oldest first',
    'payments-order',
    {
      api: eachList(list =>
        list.toSorted((a, b) =>
          a.date === b.date ? Number(a.id) - Number(b.id) : String(b.date) < String(a.date) ? -1 : 1,
        ),
      ),
    },
  ],
  [
    'beside another filter startDate is lost',
    'filters-together',
    {
      api: hears(query =>
        /(scanCode|status|Reference)=/.test(query) ? query.replace(/startDate=[^&]*/, '') : query,
      ),
    },
  ],
  [
    'beside another filter endDate is lost',
    'filters-together',
    { api: hears(query => (/scanCode=/.test(query) ? query.replace(/endDate=[^&]*/, '') : query)) },
  ],
  [
    'after the first page startDate is lost',
    'filter-dates',
    { api: hears(query => (/\bpage=[2-9]/.test(query) ? query.replace(/startDate=[^&]*/, '') : query)) },
  ],
  [
    'after the first page endDate is lost',
    'filter-dates',
    { api: hears(query => (/\bpage=[2-9]/.test(query) ? query.replace(/endDate=[^&]*/, '') : query)) },
  ],
  ['dates to the minute', 'filter-dates', { api: replaced(/(Date=[^&]*T\d\d:\d\d):\d\d/, '$1:00') }],
  [
    'offsets of dates the wrong way round',
    'filter-dates',
    { api: replaced(/(%2B|\+)(?=0[1-9]:\d\d(&|$))/, '-') },
  ],
  [
    'dates without colons',
    'invalid-parameters',
    { api: replaced(/=20261120T093000Z/, '=2026-11-20T09:30:00Z') },
  ],
  [
    'dates of milliseconds',
    'invalid-parameters',
    { api: replaced(/=1795197600000/, '=2026-11-20T09:30:00Z') },
  ],
  ['the hour 24', 'invalid-parameters', { api: replaced(/T24:00:00Z/, 'T23:59:59Z') }],
  ['the second 60', 'invalid-parameters', { api: replaced(/:60Z/, ':59Z') }],
  [
    'spaces in a list of statuses',
    'invalid-parameters',
    { api: replaced(/completed,(%20|\+)error/, 'completed,error') },
  ],
  ['digits of any script', 'invalid-parameters', { api: replaced(/page=%EF%BC%91/, 'page=1') }],
  [
    'statuses in one order only',
    'filter-status',
    {
      api: instead(
        ({ query }) => /status=error,completed/.test(query),
        () => error(400, 'invalid_parameter'),
      ),
    },
  ],
  [
    'a comma makes a list of any filter',
    'filter-merchantReference',
    { api: replaced(/(Reference=[^&]*?)%2C[^&]*/, '$1') },
  ],
  [
    'accents do not count',
    'filter-userReference',
    { api: replaced(/Reference=Zoe%20/, 'Reference=Zo%C3%AB%20') },
  ],
  [
    'composed letters are those with a mark',
    'filter-userReference',
    { api: replaced(/Reference=Zoe%CC%88/, 'Reference=Zo%C3%AB') },
  ],
  ['a space before does not count', 'filter-userReference', { api: replaced(/Reference=%20/, 'Reference=') }],
  [
    'cash ups are filtered as payments',
    'unknown-parameters',
    {
      api: handler => async request =>
        isPeriod(request) && /startDate=x/.test(request.query)
          ? error(400, 'invalid_parameter')
          : handler(request),
    },
  ],
]
