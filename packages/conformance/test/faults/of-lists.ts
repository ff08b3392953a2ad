import type { Fault } from './of-forms.ts'
import { changed, eachList, eachPayment, error, hears, isList, moved, withoutHeader } from './plant.ts'

const shifted = (
  name: string,
  change: (value: number) => number,
  when: (query: string) => boolean = () => true,
) =>
  changed(({ headers }, { query }) => {
    if (name in headers && when(query)) headers[name] = String(change(Number(headers[name])))
  })

const replaced = (pattern: RegExp, by: string) => hears(query => query.replace(pattern, by))

/** Faults of lists, their pages and filters. */
export const ofLists: Fault[] = [
  ['a wrong total', 'page-length', { api: shifted('X-Total', total => total + 1) }],
  [
    'a wrong total where a filter is',
    'page-length',
    {
      api: shifted(
        'X-Total',
        total => total + 1,
        query => query.includes('scanCode='),
      ),
    },
  ],
  [
    'total without what the offset skips',
    'pages-of-payments',
    {
      api: changed(({ headers }, { query }) => {
        const offset = Number(new URLSearchParams(query).get('offset'))
        if ('X-Total' in headers && offset > 0)
          headers['X-Total'] = String(Math.max(Number(headers['X-Total']) - offset, 0))
      }),
    },
  ],
  [
    'total pages rounded down',
    'page-headers',
    { api: shifted('X-Total-Pages', pages => Math.max(pages - 1, 0)) },
  ],
  ['a header is missing', 'page-headers', { api: withoutHeader('X-Offset') }],
  [
    'a page before page 1',
    'page-headers',
    {
      api: changed(({ headers, status }, request) => {
        if (status === 200 && isList(request) && headers['X-Page'] === '1') headers['X-Prev-Page'] = '0'
      }),
    },
  ],
  [
    'a page after the last',
    'page-headers',
    {
      api: changed(({ headers }) => {
        if ('X-Page' in headers) headers['X-Next-Page'] = String(Number(headers['X-Page']) + 1)
      }),
    },
  ],
  [
    'no previous page just past the end',
    'page-headers',
    {
      api: changed(({ headers }) => {
        if (Number(headers['X-Page']) > Number(headers['X-Total-Pages'])) delete headers['X-Prev-Page']
      }),
    },
  ],
  [
    'a page past the end is an error',
    'pages-of-payments',
    {
      api: changed(({ headers, status, body }) =>
        status === 200 && body === '[]' && Number(headers['X-Page']) > 1
          ? error(404, 'not_found')
          : undefined,
      ),
    },
  ],
  ['no limit on perPage', 'invalid-parameters', { api: replaced(/perPage=(101|1000)/, 'perPage=100') }],
  ['page 0 is page 1', 'invalid-parameters', { api: replaced(/\bpage=0/, 'page=1') }],
  [
    'an empty parameter is none',
    'invalid-parameters',
    { api: replaced(/(?<=^|&)scanCodeReference=(&|$)/, '') },
  ],
  [
    'of two parameters the last counts',
    'invalid-parameters',
    { api: replaced(/status=completed&(?=status=)/, '') },
  ],
  ['dates without an offset', 'invalid-parameters', { api: replaced(/(T09:30:00)(?=&|$)/, '$1Z') }],
  [
    'the message does not name the parameter',
    'invalid-parameters',
    {
      api: changed(({ status }) => (status === 400 ? error(400, 'invalid_parameter') : undefined)),
    },
  ],
  [
    'the offset counts pages',
    'gapless',
    {
      api: hears(query => query.replace(/offset=([1-9]\d?)(?=&|$)/, (_, n) => `offset=${n * 2}`)),
    },
  ],
  ['oldest first', 'payments-order', { api: eachList(list => list.toReversed()) }],
  [
    'ids with a gap',
    'gapless',
    {
      api: changed((response, request) => {
        if (
          response.status !== 200 ||
          !/^\/payments\/?$/.test(request.path) ||
          typeof response.body !== 'string'
        )
          return
        response.body = response.body.replaceAll('"id":57,', '"id":5700,')
        response.headers['Content-Length'] = String(Buffer.byteLength(response.body))
      }),
    },
  ],
  ['startDate is exclusive', 'filter-dates', { api: moved('startDate', 1000) }],
  ['endDate is inclusive', 'filters-hold', { api: moved('endDate', 1000) }],
  ['offsets of dates are ignored', 'filter-dates', { api: replaced(/(%2B|\+|-)(\d\d):(\d\d)(?=&|$)/, 'Z') }],
  ['fractions are cut off', 'filter-dates', { api: replaced(/\.\d+Z/, 'Z') }],
  [
    '+ in a date is a space',
    'filter-dates',
    {
      api: handler => async request =>
        /Date=[^&]*\+\d\d:\d\d/.test(request.query) ? error(400, 'invalid_parameter') : handler(request),
    },
  ],
  ['of several statuses only the first', 'filter-status', { api: replaced(/(status=[a-z]+),[a-z,]+/, '$1') }],
  ['a filter is not looked at', 'filters-hold', { api: replaced(/userReference=[^&]+/, '') }],
  [
    'references whatever their case',
    'filter-merchantReference',
    { api: replaced(/Reference=ORDER/, 'Reference=order') },
  ],
  ['spaces at the end do not count', 'filter-scanCodeReference', { api: replaced(/(%20|\+)(?=&|$)/, '') }],
  [
    'escapes are not read',
    'filter-scanCode',
    {
      api: hears(query => query.replace(/scanCode=%\w\w/, text => text.replace('%', '%25'))),
    },
  ],
  [
    'the pages of a filter are those of the whole',
    'filters-hold',
    {
      api: hears(query => (/page=2/.test(query) ? query.replace(/status=[^&]*/, '') : query)),
    },
  ],
  [
    'a status is left out of all statuses',
    'filter-status',
    {
      api: replaced(/status=completed,error,pending/, 'status=completed,error'),
    },
  ],
  [
    'another payment in the list than by its id',
    'payments-last',
    {
      api: eachPayment((payment, { path }) =>
        path === '/payments/130' ? { ...payment, scanCode: 'terrace2' } : undefined,
      ),
    },
  ],
]
