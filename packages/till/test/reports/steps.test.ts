import fc from 'fast-check'
import { expect, test } from 'vitest'
import { refusal, tillOf } from '../till-of.ts'

const { till } = await tillOf()

/** When each step begins, in UTC. */
async function stepsOf(from: string, to: string, by: 'hour' | 'day', timeZone: string): Promise<string[]> {
  return (await till.reports.takings('shop', { from, to, by, timeZone })).map(step => step.from)
}

const HOUR = 3_600_000
const hoursBetween = (dates: string[]) =>
  dates.slice(1).map((date, n) => (Date.parse(date) - Date.parse(dates[n] ?? '')) / HOUR)

test.each([
  ['UTC', '2026-11-20', '2026-11-22', ['2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z']],
  ['Asia/Kolkata', '2026-11-20', '2026-11-21', ['2026-11-19T18:30:00Z']],
  ['Asia/Kathmandu', '2026-11-20', '2026-11-21', ['2026-11-19T18:15:00Z']],
  ['Europe/Berlin', '2026-03-29', '2026-03-31', ['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z']],
  ['Europe/Berlin', '2026-10-25', '2026-10-27', ['2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z']],
  // A night without a midnight, and a day that there was not.
  ['America/Sao_Paulo', '2018-11-04', '2018-11-06', ['2018-11-04T03:00:00Z', '2018-11-05T02:00:00Z']],
  ['Pacific/Apia', '2011-12-29', '2012-01-01', ['2011-12-29T10:00:00Z', '2011-12-30T10:00:00Z']],
])('days of %s from %s to %s', async (timeZone, from, to, begins) => {
  expect(await stepsOf(from, to, 'day', timeZone)).toEqual(begins)
})

test('days of 23 and of 25 hours have as many', async () => {
  expect((await stepsOf('2026-03-29', '2026-03-30', 'hour', 'Europe/Berlin')).length).toBe(23)
  expect((await stepsOf('2026-10-25', '2026-10-26', 'hour', 'Europe/Berlin')).length).toBe(25)
  expect((await stepsOf('2026-03-08', '2026-03-09', 'hour', 'America/St_Johns')).length).toBe(23)
  expect((await stepsOf('2026-11-01', '2026-11-02', 'hour', 'America/St_Johns')).length).toBe(25)
})

test('where clocks change by half an hour one hour is half as long again', async () => {
  const spring = await stepsOf('2026-10-04', '2026-10-05', 'hour', 'Australia/Lord_Howe')
  expect(spring.length).toBe(23)
  expect(hoursBetween(spring).filter(hours => hours !== 1)).toEqual([1.5])
  const autumn = await stepsOf('2026-04-05', '2026-04-06', 'hour', 'Australia/Lord_Howe')
  expect(autumn.length).toBe(24)
  expect(hoursBetween(autumn).filter(hours => hours !== 1)).toEqual([1.5])
})

test('the steps that both ends lie in are whole', async () => {
  const berlin = (from: string, to: string, by: 'hour' | 'day') => stepsOf(from, to, by, 'Europe/Berlin')
  expect(await berlin('2026-11-20T09:30:00Z', '2026-11-20T11:00:01+01:00', 'hour')).toEqual([
    '2026-11-20T09:00:00Z',
    '2026-11-20T10:00:00Z',
  ])
  expect(await berlin('2026-11-20T09:00:00Z', '2026-11-20T10:00:00Z', 'hour')).toEqual([
    '2026-11-20T09:00:00Z',
  ])
  expect(await berlin('2026-11-20T23:30:00Z', '2026-11-20T23:30:01Z', 'day')).toEqual([
    '2026-11-20T23:00:00Z',
  ])
  expect(await berlin('2026-11-20T09:59:59.9Z', '2026-11-20T10:00:00.0001Z', 'hour')).toEqual([
    '2026-11-20T09:00:00Z',
    '2026-11-20T10:00:00Z',
  ])
  expect(
    await stepsOf('2026-04-04T15:15:00Z', '2026-04-04T15:16:00Z', 'hour', 'Australia/Lord_Howe'),
  ).toEqual(['2026-04-04T14:00:00Z'])
})

const ZONES = [
  ...['UTC', 'Europe/Berlin', 'Europe/Dublin', 'America/New_York', 'America/St_Johns', 'America/Caracas'],
  ...['Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Pyongyang', 'Asia/Gaza', 'Africa/Cairo', 'Africa/Casablanca'],
  ...['Australia/Lord_Howe', 'Pacific/Chatham', 'Pacific/Apia', 'Antarctica/Troll', 'America/Sao_Paulo'],
]

/** What the machine's own calendar says, written as the clocks there show it. */
function shown(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  return (milliseconds: number) => {
    const [day = '', time = ''] = format.format(milliseconds).split(', ')
    return { day, minute: time.slice(3, 5), second: time.slice(6, 8) }
  }
}

test('steps follow each other, and begin and end as the clocks of any place show', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ZONES),
      fc.constantFrom('hour' as const, 'day' as const),
      fc.integer({ min: Date.parse('1995-01-01'), max: Date.parse('2036-01-01') }),
      fc.integer({ min: 1, max: 60 }),
      async (timeZone, by, begin, length) => {
        const clocks = shown(timeZone)
        const from = new Date(begin).toISOString()
        const to = new Date(begin + length * (by === 'hour' ? HOUR : 24 * HOUR)).toISOString()
        const begins = (await stepsOf(from, to, by, timeZone)).map(date => Date.parse(date))
        expect(begins[0]).toBeLessThanOrEqual(begin)
        expect(begins[1] ?? Number.POSITIVE_INFINITY).toBeGreaterThan(begin)
        for (const [n, start] of begins.entries()) {
          const end = begins[n + 1]
          if (by === 'day') {
            expect(clocks(start - 1).day).not.toBe(clocks(start).day)
            if (end) expect(clocks(end - 1).day).toBe(clocks(start).day)
          } else {
            expect(clocks(start)).toMatchObject({ minute: '00', second: '00' })
            for (let at = start + HOUR / 4; at < (end ?? 0); at += HOUR / 4) {
              expect(clocks(at).minute).not.toBe('00')
            }
          }
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('since 1980 every offset is whole quarters of an hour', () => {
  const odd: string[] = []
  for (const timeZone of Intl.supportedValuesOf('timeZone')) {
    const clocks = shown(timeZone)
    for (let year = 1980; year < 2038; year++) {
      for (const month of ['01', '07']) {
        const { minute, second } = clocks(Date.parse(`${year}-${month}-01T00:00:00Z`))
        if (Number(minute) % 15 !== 0 || second !== '00') odd.push(`${timeZone} ${year}-${month}`)
      }
    }
  }
  expect(odd).toEqual([])
})

test('what is wrong is named', async () => {
  const takings = (options: unknown, merchantId: unknown = 'shop') =>
    refusal(till.reports.takings(merchantId as string, options as never))
  const right = { from: '2026-11-20', to: '2026-11-21', by: 'day', timeZone: 'Europe/Berlin' }
  const cases: [object, RegExp][] = [
    [{ from: undefined }, /^invalid_input: from must be a string/],
    [
      { from: 'today' },
      /^invalid_input: from must be an ISO 8601 date-time with Z or an offset \(\+01:00\), or a date/,
    ],
    [{ from: '2026-11-20T09:30:00' }, /^invalid_input: from must be an ISO 8601/],
    [{ from: '2026-02-30' }, /^invalid_input: from must be an ISO 8601/],
    [{ to: 'x'.repeat(1_000_000) }, /^invalid_input: to must be an ISO 8601/],
    [{ to: '2026-11-20' }, /^invalid_input: from must be before to/],
    [{ to: '2026-11-19' }, /^invalid_input: from must be before to/],
    [{ to: '2029-11-20' }, /^invalid_input: to must be at most 1000 days after from/],
    [{ to: '2027-01-05', by: 'hour' }, /^invalid_input: to must be at most 1000 hours after from/],
    [{ from: '0001-01-01' }, /^invalid_input: from must be in the years 1970 to 9998/],
    [{ to: '9999-12-31' }, /^invalid_input: to must be in the years 1970 to 9998/],
    [{ by: 'week' }, /^invalid_input: by must be hour or day/],
    [{ timeZone: 'Europe/Nowhere' }, /^invalid_input: timeZone must be the IANA name/],
    [{ timeZone: '' }, /^invalid_input: timeZone must be the IANA name/],
    [{ timeZone: 'x'.repeat(1_000_000) }, /^invalid_input: timeZone must be the IANA name/],
    [
      { from: '1971-01-01', to: '1971-01-02', timeZone: 'Africa/Monrovia' },
      /^invalid_input: timeZone Africa\/Monrovia had an offset of no whole quarters/,
    ],
    [{ zone: 'UTC' }, /^invalid_input: zone is not a known name/],
  ]
  for (const [wrong, message] of cases) expect(await takings({ ...right, ...wrong })).toMatch(message)
  expect(await takings(right, 'nobody')).toBe('not_found: merchant nobody is unknown')
  expect(await takings(right, 7)).toMatch(/^invalid_input: merchantId must be/)
  expect((await stepsOf('2026-11-20', '2029-08-16', 'day', 'UTC')).length).toBe(1000)
})
