import { type Credentials, KEY_IN_BASE64, KEY_IN_CAPITALS } from '../../network/credentials.ts'
import type { Check } from '../../session/check.ts'

const WRONG_KEY = `tk_${'Wrong0'.repeat(6)}00`

/** API 5.1 and 5.3: who is let in, and that nobody else learns anything. */
export function authentication(): readonly Check[] {
  return [
    {
      name: 'credentials',
      section: '5.1',
      title: 'the key is the user name, the password is empty, and nothing else lets in',
      async run(session) {
        const refused: [string, Credentials][] = [
          ['without credentials', 'none'],
          ['with a key that is none', { user: WRONG_KEY, password: '' }],
          ['with a password', { user: '$KEY', password: 'password' }],
          ['with the key as the password', { user: '', password: '$KEY' }],
          ['with the key and one letter more', { user: '$KEYx', password: '' }],
          ['with the key and a space', { user: '$KEY ', password: '' }],
          ['with the key in capitals', { user: KEY_IN_CAPITALS, password: '' }],
          ['as a bearer token', { authorization: 'Bearer $KEY' }],
          ['with what is no base64', { authorization: 'Basic ***' }],
          ['with an empty user name', { user: '', password: '' }],
        ]
        for (const [how, credentials] of refused) {
          const answer = await session.ask({ path: '/payments', query: 'perPage=1', credentials })
          session.expectStatus(answer, 401, how)
        }
        session.expectStatus(await session.get('/payments', 'perPage=1'), 200, 'with the key')
        const small = { authorization: `basic ${KEY_IN_BASE64}` }
        const answer = await session.ask({ path: '/payments', query: 'perPage=1', credentials: small })
        session.expectStatus(answer, 200, 'with the scheme in small letters')
      },
    },
    {
      name: 'authentication-first',
      section: '5.3',
      title: 'without a key all is 401: unknown paths, other methods, wrong parameters too',
      async run(session) {
        const asked = [
          { path: '/nowhere' },
          { path: '/' },
          { path: '/payments/1' },
          { path: '/payments/999999999999' },
          { path: '/payments/x' },
          { path: `/payments/cash_ups/${'0'.repeat(32)}` },
          { path: '/cash_ups' },
          { path: '/payments', query: 'page=0' },
          { path: '/payments', query: 'status=x' },
          { path: '/payments', method: 'DELETE' },
          { path: '/nowhere', method: 'POST' },
          { path: '/payments', method: 'HEAD' },
        ] as const
        for (const question of asked) {
          session.expectStatus(await session.ask({ ...question, credentials: 'none' }), 401, 'without a key')
        }
        const longest = await session.ask({
          path: '/payments',
          query: `x=${'x'.repeat(8200)}`,
          credentials: 'none',
        })
        if (longest.status !== 431 && longest.status !== 414)
          session.expectStatus(longest, 401, 'without a key')
      },
    },
  ]
}
