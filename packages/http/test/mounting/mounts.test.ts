import { findMount, type HttpHandler, mountTable, splitTarget } from '@tillkit/http'
import { expect, test } from 'vitest'

const handler: HttpHandler = async () => ({ status: 200, headers: {}, body: null })
const another = (): HttpHandler => request => handler(request)

test('the longest prefix wins, and ends where a segment does', () => {
  const [root, v1, cards] = [another(), another(), another()]
  const table = mountTable({ '/': root, '/v1': v1, '/v1/cards': cards })
  const at = (path: string) => findMount(table, path)
  expect(at('/v1')).toEqual({ handler: v1, path: '/' })
  expect(at('/v1/')).toEqual({ handler: v1, path: '/' })
  expect(at('/v1//a%2Fb')).toEqual({ handler: v1, path: '//a%2Fb' })
  expect(at('/v1/cards/1')).toEqual({ handler: cards, path: '/1' })
  expect(at('/v1/cardsx')).toEqual({ handler: v1, path: '/cardsx' })
  expect(at('/v10')).toEqual({ handler: root, path: '/v10' })
  expect(at('/')).toEqual({ handler: root, path: '/' })
  expect(at('*')).toBeUndefined()
})

test('a handler alone is at the root', () => {
  expect(findMount(mountTable(handler), '/v1/payments')).toEqual({ handler, path: '/v1/payments' })
})

test('nothing is at other paths', () => {
  expect(findMount(mountTable({ '/v1': handler }), '/qr/x')).toBeUndefined()
})

test.each([
  [undefined, 'handler'],
  [5, 'handler'],
  [{ '/v1': 5 }, '/v1'],
  [{ v1: handler }, 'v1'],
  [{ '/v1/': handler }, '/v1/'],
  [{ '/v1?x': handler }, '/v1?x'],
  [{ '': handler }, 'path'],
])('%j is refused', (mounts, names) => {
  expect(() => mountTable(mounts as never)).toThrowError(names)
})

test.each([
  ['/v1/payments', '/v1/payments', ''],
  ['/v1/payments?', '/v1/payments', ''],
  ['/a%2Fb?x=%zz&y=?&+', '/a%2Fb', 'x=%zz&y=?&+'],
  ['//host/path?x', '//host/path', 'x'],
  ['http://host:8080/v1?x=1', '/v1', 'x=1'],
  ['HTTPS://user@host/v1', '/v1', ''],
  ['http://host', '/', ''],
  ['http://host?x=/y', '/', 'x=/y'],
  ['*', '*', ''],
  ['/Caf\xc3\xa9?a=\xe2\x82\xac+1', '/Caf%C3%A9', 'a=%E2%82%AC+1'],
  ['/x?a=Caf\xe9', '/x', 'a=Caf%E9'],
  ['', '/', ''],
])('the target %s is the path %s and the query %s', (target, path, query) => {
  expect(splitTarget(target)).toEqual({ path, query })
})
