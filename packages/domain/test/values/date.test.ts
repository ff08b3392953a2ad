import {
  after,
  instant,
  later,
  parseDateTime,
  redeliverSince,
  secondOf,
  validate,
  wireDate,
} from '@tillkit/domain'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const time = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9998-12-31T23:59:59Z'),
  noInvalidDate: true,
})

describe('parseDateTime', () => {
  test.each([
    ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00Z'],
    ['2026-11-20T09:30Z', '2026-11-20T09:30:00Z'],
    ['2026-11-20T09:30:00+00:00', '2026-11-20T09:30:00Z'],
    ['2026-11-20T11:30+02:00', '2026-11-20T09:30:00Z'],
    ['2026-11-20T11:30:00+02:00', '2026-11-20T09:30:00Z'],
    ['2026-11-20T00:15:00-05:45', '2026-11-20T06:00:00Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00Z'],
    ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00Z'],
    ['2000-02-29T12:00:00Z', '2000-02-29T12:00:00Z'],
  ])('%s is %s', (text, date) => {
    expect(parseDateTime(text)).toBe(date)
  })

  test.each([
    ['2026-11-20T09:30:00.000Z', '2026-11-20T09:30:00Z'],
    ['2026-11-20T09:30:00.001Z', '2026-11-20T09:30:01Z'],
    ['2026-11-20T09:30:00.5+02:00', '2026-11-20T07:30:01Z'],
    ['2026-11-20T09:30:00.999999Z', '2026-11-20T09:30:01Z'],
    ['2026-11-20T09:30:00.0001Z', '2026-11-20T09:30:01Z'],
    ['2026-11-20T09:30:00.0000Z', '2026-11-20T09:30:00Z'],
    ['2026-12-31T23:59:59.5Z', '2027-01-01T00:00:00Z'],
  ])('%s, a fraction, is the next whole second, %s', (text, date) => {
    expect(parseDateTime(text)).toBe(date)
  })

  test.each([
    ['0000-01-01T00:00:00+14:00', '0000-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59-14:00', '9999-12-31T23:59:59Z'],
    ['9999-12-31T23:59:59.5Z', '9999-12-31T23:59:59Z'],
  ])('%s, beyond the wire’s form, is its nearest date, %s', (text, date) => {
    expect(parseDateTime(text)).toBe(date)
  })

  test.each([
    '',
    'yesterday',
    '2026-11-20',
    '2026-11-20T09:30:00',
    '2026-11-20 09:30:00Z',
    '2026-11-20T09:30:00 02:00',
    '2026-11-20T9:30:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T09:60:00Z',
    '2026-11-20T09:30:60Z',
    '2026-02-29T12:00:00Z',
    '1900-02-29T12:00:00Z',
    '2026-04-31T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-00-10T12:00:00Z',
    '20261120T093000Z',
    '2026-11-20T09:30:00+0200x',
    '2026-11-20T09:30:00.Z',
    ' 2026-11-20T09:30:00Z',
    '2026-11-20T09:30:00Z\n',
    '+002026-11-20T09:30:00Z',
    '1795167000',
  ])('%j is no date-time', text => {
    expect(parseDateTime(text)).toBe(null)
  })

  test('what wireDate prints is read back, whatever the offset it is written with', () => {
    fc.assert(
      fc.property(time, fc.integer({ min: -14 * 60, max: 14 * 60 }), (date, minutes) => {
        const local = new Date(Math.floor(date.getTime() / 1000) * 1000 + minutes * 60_000)
        const size = Math.abs(minutes)
        const two = (n: number) => `${n}`.padStart(2, '0')
        const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
        expect(parseDateTime(`${local.toISOString().slice(0, 19)}${offset}`)).toBe(wireDate(date))
      }),
    )
  })

  test('it stands for the given time in “at or after” and in “before”', () => {
    fc.assert(
      fc.property(time, time, (given, other) => {
        const bound = parseDateTime(given.toISOString()) ?? ''
        const started = wireDate(other)
        expect(started >= bound).toBe(Date.parse(started) >= given.getTime())
      }),
    )
  })
})

describe('dates of the wire', () => {
  test('a date is the whole second that it falls in', () => {
    expect(wireDate(new Date('2026-11-20T09:30:00.999Z'))).toBe('2026-11-20T09:30:00Z')
    expect(secondOf('2026-11-20T09:30:00.999Z')).toBe('2026-11-20T09:30:00Z')
    expect(instant(new Date('2026-11-20T09:30:00Z'))).toBe('2026-11-20T09:30:00.000Z')
  })

  test('they sort as the times they name', () => {
    fc.assert(
      fc.property(time, time, (a, b) => {
        const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
        expect(wireDate(a) < wireDate(b)).toBe(seconds(a) < seconds(b))
        expect(instant(a) < instant(b)).toBe(a < b)
        expect(later(wireDate(a), wireDate(b))).toBe([wireDate(a), wireDate(b)].sort()[1])
      }),
    )
  })

  test('a clock must give a valid time', () => {
    expect(() => instant(new Date(Number.NaN))).toThrow('clock must return a valid Date')
    expect(() => wireDate('2026-11-20' as unknown as Date)).toThrow('clock must return a valid Date')
  })

  test('after adds seconds, a fraction or a negative number too', () => {
    const from = new Date('2026-11-20T09:30:00Z')
    expect(instant(after(from, 90))).toBe('2026-11-20T09:31:30.000Z')
    expect(instant(after(from, 0.25))).toBe('2026-11-20T09:30:00.250Z')
    expect(instant(after(from, -1))).toBe('2026-11-20T09:29:59.000Z')
    // To the nearest millisecond: a Date would cut it off.
    expect(instant(after(from, 0.0006))).toBe('2026-11-20T09:30:00.001Z')
  })
})

describe('a moment that a caller gives', () => {
  const since = (given: Date | string) => validate(redeliverSince, { since: given }, 'a range').since

  test('is a date-time or a Date, to the millisecond', () => {
    expect(since('2026-11-20T11:30:00.25+02:00')).toBe('2026-11-20T09:30:00.250Z')
    expect(since(new Date('2026-11-20T09:30:00.25Z'))).toBe('2026-11-20T09:30:00.250Z')
  })

  test('beyond the wire’s form is the nearest that has it', () => {
    expect(since('0000-01-01T00:00:00+14:00')).toBe('0000-01-01T00:00:00.000Z')
    expect(since('9999-12-31T23:59:59-14:00')).toBe('9999-12-31T23:59:59.000Z')
    expect(since(new Date(8.64e15))).toBe('9999-12-31T23:59:59.000Z')
  })

  test('that is none is named', () => {
    for (const given of [new Date(Number.NaN), 'yesterday', '2026-11-20']) {
      expect(() => since(given)).toThrow(/^since must be a Date or an ISO 8601 date-time/)
    }
  })
})
