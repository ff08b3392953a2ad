import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTurns } from '../../../src/webhooks/window/turns.ts'

interface One {
  name: string
  came: number
  path: string[]
}

let came = 0
const one = (name: string, ...path: string[]): One => ({ name, came: ++came, path })

test('each part of the tree of paths has its turn, and each of its parts in that', () => {
  const turns = createTurns<One>()
  for (const name of ['a1', 'a2', 'a3', 'a4']) turns.add(one(name, 'a', name), false)
  turns.add(one('a5', 'a'), false)
  turns.add(one('b1', 'b', 'x', 'y'), false)
  turns.add(one('b2', 'b', 'x', 'z'), false)
  turns.add(one('root'), false)
  const taken = Array.from({ length: 8 }, () => turns.take()?.name)
  expect(taken).toEqual(['a1', 'b1', 'root', 'a2', 'b2', 'a3', 'a4', 'a5'])
  expect(turns.take()).toBe(undefined)
})

test('every other turn is for the newest, of branches and in them', () => {
  const turns = createTurns<One>()
  for (const name of ['a1', 'a2', 'a3']) turns.add(one(name, 'a'), true)
  for (const name of ['b1', 'b2', 'b3']) turns.add(one(name, 'b'), true)
  turns.add(one('c1', 'c'), true)
  const taken = Array.from({ length: 7 }, () => turns.take()?.name)
  expect(taken).toEqual(['a1', 'c1', 'b1', 'a3', 'b3', 'a2', 'b2'])
})

test('the one that is furthest from its turn is in the fullest branch, or in the middle of all', () => {
  const turns = createTurns<One>()
  for (let n = 0; n < 9; n++) turns.add(one(`flat-${n}`, `${n}`), true)
  expect(turns.newcomers()).toEqual({ count: 9, middle: expect.objectContaining({ name: 'flat-4' }) })
  for (let n = 0; n < 5; n++) turns.add(one(`deep-${n}`, 'deep', `${n}`), true)
  expect(turns.newcomers()).toEqual({ count: 14, middle: expect.objectContaining({ name: 'deep-2' }) })
})

test('whatever comes, leaves and takes its turn: all that is in it has one, once', () => {
  const path = fc.array(fc.constantFrom('', 'a', 'b', 'c'), { maxLength: 6 })
  const step = fc.oneof(
    fc.record({ add: path, came: fc.nat(20), isNew: fc.boolean() }),
    fc.record({ remove: fc.nat() }),
    fc.constant('take' as const),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), steps => {
      const turns = createTurns<One>()
      const inside = new Set<One>()
      for (const [n, it] of steps.entries()) {
        if (it === 'take') {
          const taken = turns.take()
          expect(taken !== undefined).toBe(inside.size > 0)
          if (taken) expect(inside.delete(taken)).toBe(true)
        } else if ('add' in it) {
          const added = { name: `${n}`, came: it.came, path: it.add }
          turns.add(added, it.isNew)
          inside.add(added)
        } else {
          const gone = [...inside][it.remove % inside.size]
          if (gone) turns.delete(gone)
          if (gone) inside.delete(gone)
        }
        expect(new Set(turns)).toEqual(inside)
        expect(turns.size).toBe(inside.size)
        for (const there of inside) expect(turns.has(there)).toBe(true)
        expect(turns.newcomers().count).toBeLessThanOrEqual(inside.size)
      }
      while (inside.size > 0) expect(inside.delete(turns.take() as One)).toBe(true)
    }),
  )
})
