import { merchantApi } from '@tillkit/http'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { openTill, parsed, send } from '../fixture.ts'

const { till, apiKey } = await openTill()
const list = vi.spyOn(till.payments, 'list')
const api = merchantApi(till, { rateLimits: false })
const get = (target: string) => send(api, target, { apiKey })

/** What the till was asked for by a query. */
async function read(query: string) {
  const { status, body } = await get(`/payments?${query}`)
  expect([status, body]).toEqual([200, '[]'])
  return list.mock.lastCall?.[1] ?? {}
}

const everyParameter = [
  ...['page', 'perPage', 'offset', 'startDate', 'endDate', 'status'],
  ...['scanCode', 'scanCodeReference', 'userReference', 'merchantReference', 'statementReference'],
]
const paginationAlone = everyParameter.slice(0, 3)

describe('values that are not valid', () => {
  const notWhole = [
    'x',
    '1e2',
    '%201',
    '1%20',
    '1.0',
    '1.5',
    '%2B1',
    '+1',
    '-1',
    '0x1',
    '١',
    '1,2',
    'NaN',
    '9'.repeat(30),
  ]
  const notDates = [
    ...[
      'x',
      '2026-11-20',
      '2026-11-20T09:30:00',
      '20261120T093000Z',
      '2026-13-01T00:00:00Z',
      '2026-02-30T00:00:00Z',
    ],
    ...[
      '2026-11-20T24:30:00Z',
      '2026-11-20%2009:30:00Z',
      '1763631000',
      '2026-11-20T09:30:00Zx',
      '%202026-11-20T09:30:00Z',
    ],
  ]
  const notStatuses = [
    'x',
    'Completed',
    'completed,',
    ',completed',
    'completed,,error',
    'completed,%20error',
    'completed;error',
  ]
  const cases: [name: string, value: string][] = [
    ...[...notWhole, '0'].map((value): [string, string] => ['page', value]),
    ...[...notWhole, '0', '101'].map((value): [string, string] => ['perPage', value]),
    ...notWhole.map((value): [string, string] => ['offset', value]),
    ...['startDate', 'endDate'].flatMap(name => notDates.map((value): [string, string] => [name, value])),
    ...notStatuses.map((value): [string, string] => ['status', value]),
    ...everyParameter.map((name): [string, string] => [name, '']),
    ...everyParameter.slice(6).map((name): [string, string] => [name, '%00']),
    ...['Caf%E9', '%E2%82', '%ED%A0%80', '%EF%BF%BD%FF', '%e9%ef%bf%bd', '\ud800'].map(
      (value): [string, string] => ['merchantReference', value],
    ),
  ]

  test.each(cases)('%s=%s is 400 and says so', async (name, value) => {
    const response = await get(`/payments?${name}=${value}`)
    expect(response.status).toBe(400)
    expect(Object.keys(parsed(response))).toEqual(['message', 'code'])
    expect(parsed(response).message).toContain(`${name} is not valid`)
  })

  test.each(paginationAlone)('%s is checked in every list', async name => {
    const { reference } = await till.cashUps.create((await till.authenticate(apiKey))?.id ?? '')
    for (const path of ['/cash_ups', `/payments/cash_ups/${reference}`]) {
      const response = await get(`${path}?${name}=x`)
      expect([response.status, parsed(response).message]).toEqual([
        400,
        expect.stringContaining(`${name} is not valid`),
      ])
    }
  })

  test.each(everyParameter)('%s given twice is 400', async name => {
    const value = /Date$/.test(name) ? '2026-11-20T09:30:00Z' : name === 'status' ? 'error' : '1'
    for (const query of [
      `${name}=${value}&${name}=${value}`,
      `${name}=${value}&x=1&%${hex(name)}=${value}`,
    ]) {
      const response = await get(`/payments?${query}`)
      expect([response.status, parsed(response).message]).toEqual([
        400,
        expect.stringContaining(`${name} is not valid`),
      ])
    }
  })

  /** The name with its first letter escaped, without the first `%`. */
  const hex = (name: string) => `${name.charCodeAt(0).toString(16)}${name.slice(1)}`

  test('a parameter without a value counts as empty', async () => {
    for (const name of ['scanCode', 'page']) {
      expect(parsed(await get(`/payments?${name}`)).message).toBe(
        `${name} is not valid: it must not be empty`,
      )
    }
  })
})

describe('what is read', () => {
  const defaults = { page: 1, perPage: 50, offset: 0, filter: {} }

  test.each([
    ['', defaults],
    ['&&=&', defaults],
    ['page=3&perPage=100&offset=7', { page: 3, perPage: 100, offset: 7, filter: {} }],
    ['page=007', { ...defaults, page: 7 }],
    [`offset=${Number.MAX_SAFE_INTEGER}`, { ...defaults, offset: Number.MAX_SAFE_INTEGER }],
    ['%70age=2', { ...defaults, page: 2 }],
    ['status=completed', { ...defaults, filter: { status: ['completed'] } }],
    ['status=error%2Cpending,error', { ...defaults, filter: { status: ['error', 'pending'] } }],
    ['scanCode=a%2Bb+c', { ...defaults, filter: { scanCode: 'a+b c' } }],
    ['scanCodeReference=T%C3%A9a', { ...defaults, filter: { scanCodeReference: 'Téa' } }],
    ['scanCodeReference=%EF%BF%BD', { ...defaults, filter: { scanCodeReference: '\uFFFD' } }],
    [
      'scanCodeReference=%ef%bf%bda%EF%BF%BD',
      { ...defaults, filter: { scanCodeReference: '\uFFFDa\uFFFD' } },
    ],
    ['userReference=%zz', { ...defaults, filter: { userReference: '%zz' } }],
    ['merchantReference=a=b==', { ...defaults, filter: { merchantReference: 'a=b==' } }],
    ['statementReference=%3Cx%3E', { ...defaults, filter: { statementReference: '<x>' } }],
    ['Page=0&status[]=x&unknown=1&unknown=2&__proto__=1&constructor=', defaults],
    ['?page=0', defaults],
    ['?p%61ge=0', defaults],
  ])('%s', async (query, expected) => {
    expect(await read(query)).toEqual(expected)
  })

  test.each([
    ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00Z'],
    ['2026-11-20T09:30:00.001Z', '2026-11-20T09:30:01Z'],
    ['2026-11-20T10:30:00%2B01:00', '2026-11-20T09:30:00Z'],
    ['2026-11-20T10:30:00+01:00', '2026-11-20T09:30:00Z'],
    ['2026-11-20T10:30:00%2001:00', '2026-11-20T09:30:00Z'],
    ['2026-11-20T08:30:00-01:00', '2026-11-20T09:30:00Z'],
    ['2026-11-20T09%3A30%3A00.5+00:00', '2026-11-20T09:30:01Z'],
  ])('the date %s is %s', async (sent, date) => {
    expect(await read(`startDate=${sent}&endDate=${sent}`)).toMatchObject({
      filter: { startDate: date, endDate: date },
    })
  })

  test('texts are decoded as URLSearchParams decodes them', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '%',
        '%4',
        '%41',
        '%C3%A9',
        '%ff',
        '%EF%BF%BD',
        '+',
        '=',
        '?',
        '%26',
        '%3D',
        '%00',
        'é',
        '#',
        ' ',
      ),
      fc.string({ unit: 'binary' }),
    )
    const raw = fc.array(piece).map(pieces => pieces.join('').replaceAll('&', ''))
    const names = fc.constantFrom(...everyParameter.slice(6))
    await fc.assert(
      fc.asyncProperty(names, raw, async (name, text) => {
        const value = new URLSearchParams(`?${name}=${text}`).get(name)
        const response = await get(`/payments?x=1&${name}=${text}&y`)
        // Where the decoder replaced something, the text was no UTF-8.
        const sent = text.match(/\uFFFD|%EF%BF%BD/gi)?.length ?? 0
        const replaced = (value?.match(/\uFFFD/g)?.length ?? 0) > sent
        const valid = value !== '' && !value?.includes('\0') && !replaced
        expect(response.status).toBe(valid ? 200 : 400)
        if (valid) expect(list.mock.lastCall?.[1]).toMatchObject({ filter: { [name]: value } })
      }),
    )
  })
})
