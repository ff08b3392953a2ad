import { beforeEach, expect, test } from 'vitest'
import { OutOfTime } from '../../src/connections/limits/deadline.ts'
import { TurnTooLate } from '../../src/connections/turns/merchant-line.ts'
import { type LongRead, ReadTurns } from '../../src/connections/turns/read-turns.ts'

const LONG = 1000

/** Of ten connections. */
let turns: ReadTurns
let begun: string[]
let ends: Map<string, () => void>

beforeEach(() => {
  turns = new ReadTurns(() => 10)
  begun = []
  ends = new Map()
})

/** A read of a merchant's, which goes on until it is ended by its name. */
const read = (merchantId: string, name: string, seconds = LONG, kind?: LongRead) =>
  turns.take(
    merchantId,
    seconds,
    () => {
      begun.push(name)
      return new Promise<string>(resolve => ends.set(name, () => resolve(name)))
    },
    kind,
  )

/** Ends a read, and whatever follows from that at once has happened. */
async function end(name: string): Promise<void> {
  ends.get(name)?.()
  for (let n = 0; n < 20; n++) await null
}

test('what finds room begins at once, and its own promise is handed on', async () => {
  const own = Promise.resolve('read')
  expect(turns.take('a', LONG, () => own)).toBe(own)
})

test('one merchant has three turns, and the others of it theirs in the order in which they came', async () => {
  const reads = ['a1', 'a2', 'a3', 'a4', 'a5'].map(name => read('a', name))
  expect(begun).toEqual(['a1', 'a2', 'a3'])
  await end('a2')
  expect(begun).toEqual(['a1', 'a2', 'a3', 'a4'])
  await end('a1')
  expect(begun).toEqual(['a1', 'a2', 'a3', 'a4', 'a5'])
  for (const name of ['a3', 'a4', 'a5']) await end(name)
  expect(await Promise.all(reads)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5'])
})

test('all merchants have seven, and lines are let in one after the other', async () => {
  for (const of of ['a', 'b', 'c', 'd']) for (const n of [1, 2, 3]) read(of, `${of}${n}`)
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1'])
  read('e', 'e1')
  for (const name of begun.slice(0, 5)) await end(name)
  expect(begun.slice(7)).toEqual(['c2', 'd1', 'e1', 'c3', 'd2'])
})

test('lookups of a merchant wait for none of its lists, and count among the turns of all', async () => {
  for (const n of [1, 2, 3, 4]) read('a', `list${n}`)
  for (const n of [1, 2, 3, 4]) read('a', `lookup${n}`, LONG, 'lookups')
  expect(begun).toEqual(['list1', 'list2', 'list3', 'lookup1', 'lookup2', 'lookup3'])
  read('b', 'b1')
  read('b', 'b2')
  await end('lookup1')
  expect(begun.slice(6)).toEqual(['b1', 'lookup4'])
  for (const name of ['list1', 'list2']) await end(name)
  expect(begun.slice(8)).toEqual(['list4', 'b2'])
})

test('a read that throws has its turn ended', async () => {
  const thrown = () => turns.take('a', LONG, () => Promise.reject(new Error('thrown')))
  for (let n = 0; n < 10; n++) await expect(thrown()).rejects.toThrow('thrown')
  for (const name of ['a1', 'a2', 'a3', 'a4']) read('a', name)
  expect(begun).toEqual(['a1', 'a2', 'a3'])
})

test('one whose turn does not come says what is under way, blames no database, and is never begun', async () => {
  for (const name of ['a1', 'a2', 'a3']) read('a', name)
  const late = read('a', 'late', 0.05)
  const patient = read('a', 'patient')
  const error = await late.catch(error => error)
  expect(error).toBeInstanceOf(TurnTooLate)
  expect(error.message).toBe(
    'a list of merchant a waited 0.025 seconds for its turn: 3 lists of that merchant are under way, and 3 of all merchants',
  )
  expect(error.cause).toBeUndefined()
  await end('a1')
  expect(begun).toEqual(['a1', 'a2', 'a3', 'patient'])
  await end('patient')
  expect(await patient).toBe('patient')
})

test('one that had to wait is answered in its time, and has its turn until it has ended', async () => {
  for (const name of ['a1', 'a2', 'a3']) read('a', name)
  const slow = read('a', 'slow', 1)
  await end('a1')
  const error = await slow.catch(error => error)
  expect(error).toBeInstanceOf(OutOfTime)
  expect(error.message).toMatch(
    /^the database did not answer a list of merchant a within the [\d.]+ seconds that its wait for others had left of 1$/,
  )
  read('a', 'next')
  expect(begun).toEqual(['a1', 'a2', 'a3', 'slow'])
  await end('slow')
  expect(begun).toEqual(['a1', 'a2', 'a3', 'slow', 'next'])
})

test('one that waited and then failed is told how it failed', async () => {
  for (const name of ['a1', 'a2', 'a3']) read('a', name)
  const gone = new OutOfTime('the database is gone')
  const failing = turns.take('a', LONG, () => Promise.reject(gone))
  await end('a1')
  await expect(failing).rejects.toBe(gone)
})

test('a merchant with no list under way is not told that it has too many', async () => {
  for (const of of ['b', 'c', 'd']) for (const n of [1, 2, 3]) read(of, `${of}${n}`)
  await expect(read('a', 'a1', 0.05)).rejects.toThrow(
    ': 0 lists of that merchant are under way, and 7 of all merchants',
  )
  await expect(read('a', 'a1', 0.05, 'lookups')).rejects.toThrow(': 0 lookups of that merchant')
})

test.each([1, 2, 3])('over %i connections there is a turn', async size => {
  turns = new ReadTurns(() => size)
  read('a', 'a1')
  read('a', 'a2')
  expect(begun).toEqual(['a1'])
  await end('a1')
  expect(begun).toEqual(['a1', 'a2'])
})

test('a read that throws before it is one gives its turn up', async () => {
  for (let n = 0; n < 5; n++) {
    expect(() =>
      turns.take('a', LONG, () => {
        throw new Error('no read')
      }),
    ).toThrow('no read')
  }
  read('a', 'a1')
  expect(begun).toEqual(['a1'])
})
