import type { Checks } from '../capability.ts'
import { echo } from '../handlers.ts'

const EVERYWHERE: [target: string, path: string, query: string][] = [
  ['/v1', '/', ''],
  ['/v1/', '/', ''],
  ['/v1?x=1', '/', 'x=1'],
  ['/v1/?x=1', '/', 'x=1'],
  ['/v1/payments', '/payments', ''],
  ['/v1/payments/', '/payments/', ''],
  ['/v1/x?', '/x', ''],
  ['/v1/a%2Fb%20c', '/a%2Fb%20c', ''],
  ['/v1/%70ayments', '/%70ayments', ''],
  ['/v1//a///b', '//a///b', ''],
  ['/v1/v1/x', '/v1/x', ''],
  ['/v1/a;b=c,d(e)*!$&@:~', '/a;b=c,d(e)*!$&@:~', ''],
  ['/v1/x?a=%zz&b=+&&c=?d&e=/f', '/x', 'a=%zz&b=+&&c=?d&e=/f'],
  ['/v1/x?a[]=1&a[]=2&__proto__=3', '/x', 'a[]=1&a[]=2&__proto__=3'],
  [`/v1/${'x'.repeat(2000)}`, `/${'x'.repeat(2000)}`, ''],
]

const DOTS: typeof EVERYWHERE = [
  ['/v1/../x', '/../x', ''],
  ['/v1/a/./b/..//c', '/a/./b/..//c', ''],
  ["/v1/x?'", '/x', "'"],
  ['http://pay.example.com/v1/x?y=1', '/x', 'y=1'],
  ['http://pay.example.com/v1', '/', ''],
]

/** As its bytes go over the wire. */
const raw = (text: string) => Buffer.from(text).toString('latin1')

const BYTES: typeof EVERYWHERE = [
  [`/v1/${raw('Café')}`, '/Caf%C3%A9', ''],
  [`/v1/x?a=${raw('Zoë €')}`.replace(' ', '+'), '/x', 'a=Zo%C3%AB+%E2%82%AC'],
  [`/v1/x?a=${raw('日本')}&b=%C3%A9`, '/x', 'a=%E6%97%A5%E6%9C%AC&b=%C3%A9'],
  ['/v1/x?a=Caf\xe9', '/x', 'a=Caf%E9'],
]

const MALFORMED: typeof EVERYWHERE = [
  ['/v1/%zz', '/%zz', ''],
  ['/v1/%', '/%', ''],
  ['/v1/%C3', '/%C3', ''],
]

/** Raw paths and queries. */
export function targets({ test, expect, adapter, serving }: Checks): void {
  test('paths and queries arrive byte for byte', () =>
    serving({ mounts: { '/v1': echo } }, async client => {
      const whole = adapter.targets === 'resolved' ? EVERYWHERE : [...EVERYWHERE, ...DOTS]
      for (const [target, path, query] of whole) {
        const { text } = await client.send({ target })
        const got = JSON.parse(text)
        expect({ target, path: got.path, query: got.query }).toEqual({ target, path, query })
      }
    }))

  test('so do malformed escapes, or they are 400', () =>
    serving({ mounts: { '/v1': echo } }, async client => {
      for (const [target, path] of MALFORMED) {
        const { status, text } = await client.send({ target })
        if (adapter.targets === 'well-formed') expect({ target, status }).toEqual({ target, status: 400 })
        else expect(JSON.parse(text).path).toBe(path)
      }
    }))

  // A parser of URLs that came first took each byte for a character.
  if (adapter.targets !== 'resolved') {
    test('bytes that are no ASCII arrive as escapes, or they are 400', () =>
      serving({ mounts: { '/v1': echo } }, async client => {
        for (const [target, path, query] of BYTES) {
          // Some servers cut the connection with their 400, which is not always read then.
          const answer = await client.send({ target, headers: { Connection: 'close' } }).catch(() => null)
          if (answer === null || answer.status === 400) continue
          const got = JSON.parse(answer.text)
          expect({ target, path: got.path, query: got.query }).toEqual({ target, path, query })
        }
      }))
  }

  test('headers arrive by lower-case name', () =>
    serving({ mounts: { '/v1': echo } }, async client => {
      const headers = { 'X-Trace': 'a b', 'Idempotency-Key': 'K"1', Authorization: 'Basic eA==' }
      const got = JSON.parse((await client.send({ target: '/v1', headers })).text).headers
      expect([got['x-trace'], got['idempotency-key'], got.authorization]).toEqual([
        'a b',
        'K"1',
        'Basic eA==',
      ])
    }))
}
