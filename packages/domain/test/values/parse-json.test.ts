import { parseJson } from '@tillkit/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const name = fc.string({ unit: fc.constantFrom('\\', '"', '\n', '\u0001', '#', '0', 'a', 'é'), maxLength: 4 })
const value = fc.letrec(tie => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, -1.5e30),
    name,
    fc.array(tie('any')),
    fc.array(fc.tuple(name, tie('any'))).map(Object.fromEntries),
  ),
})).any

test('names are read as they were written, whatever was read before', () => {
  fc.assert(
    fc.property(value, fc.integer({ min: 0, max: 2 }), (given, indent) => {
      expect(parseJson(JSON.stringify(given, null, indent))).toStrictEqual(given)
    }),
    { numRuns: 2000 },
  )
  const text = '{"__proto__":"1","a\\u0022 \\\\":2,"a\\" \\\\":3}'
  expect(Object.entries(parseJson(text) as object)).toEqual([
    ['__proto__', '1'],
    ['a" \\', 3],
  ])
})

test.each(['', '{', '"\\', '{"a\\":1}', '\\"'.repeat(2 ** 20), '{"a":"\\x"}'])('%.10j… is none', text => {
  expect(() => parseJson(text)).toThrow(SyntaxError)
})
