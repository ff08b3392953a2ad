import { renamingOf, VOCABULARY, type Vocabulary, type VocabularyName, wordOf } from '@tillkit/domain'
import { type HttpResponse, keyedApi, merchantApi } from '@tillkit/http'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { basic, openTill, parsed, send } from './fixture.ts'

const names = [...new Set(Object.values(VOCABULARY).flat())]
const word = fc.oneof(fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,11}$/), fc.constantFrom(...names))
const fit = (given: Vocabulary) =>
  Object.values(VOCABULARY).every(
    group => new Set(group.map(name => wordOf(given, name))).size === group.length,
  )
const vocabularies: fc.Arbitrary<Vocabulary> = fc
  .dictionary(fc.constantFrom(...names), word, { noNullPrototype: true })
  .filter(fit)

const value = fc.constantFrom(
  '1',
  '2',
  '0',
  '',
  'x',
  'table-1',
  'order-2',
  'completed,error',
  '2026-01-01T00:00:00Z',
)
const pairs = fc.array(fc.tuple(fc.constantFrom(...VOCABULARY.list, 'unknown'), value), { maxLength: 4 })
const paths = fc.constantFrom(
  ...['/payments', '/payments/1', '/payments/2/', '/payments/99', '/payments/x', '/cash_ups', '/cash_ups/'],
  ...['/payments/cash_ups/LATEST', '/payments/cash_ups/00', '/payments/cash_ups', '/nothing', '/'],
)
const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT')

/** Put into the words of a vocabulary where it knows the name, in the way a merchant's program would write them. */
const put = (vocabulary: Vocabulary, name: string) => wordOf(vocabulary, name as VocabularyName)

/** What an answer says by our names, whatever it called them. */
function back(vocabulary: Vocabulary, response: HttpResponse, kind: 'payment' | 'cashUp') {
  if (typeof response.body !== 'string') return response.body
  const group = response.status < 400 ? kind : 'error'
  const words = new Map<string, string>(VOCABULARY[group].map(name => [wordOf(vocabulary, name), name]))
  const undone = (object: object) =>
    Object.fromEntries(Object.entries(object).map(([said, held]) => [words.get(said) ?? said, held]))
  const body = JSON.parse(response.body)
  return Array.isArray(body) ? body.map(undone) : undone(body)
}

describe('merchantApi in other words', () => {
  test.each([[{}], [{ deviceLists: true, tips: true }]])(
    'says the same as without, renamed back, for features %j',
    async features => {
      const { till, merchant, apiKey, pay } = await openTill(features)
      await pay({ merchantReference: 'order-1', extra: { scanCode: 'kept', id: '7' } }, 'completed')
      await pay({ merchantReference: 'order-2', requiredAmount: 1250 }, 'error')
      const { reference } = await till.cashUps.create(merchant.id)
      await pay({ userReference: 'x' })
      const plain = merchantApi(till, { https: 'off', rateLimits: false })

      await fc.assert(
        fc.asyncProperty(
          vocabularies,
          methods,
          paths,
          pairs,
          fc.boolean(),
          async (vocabulary, method, at, query, key) => {
            const path = at.replace('LATEST', reference)
            const other = merchantApi(till, { https: 'off', rateLimits: false, vocabulary })
            const known = ['payments', 'cash_ups']
            const segments = path
              .split('/')
              .map(segment => (known.includes(segment) ? put(vocabulary, segment) : segment))
            // What the other vocabulary does not know must not be one of its words by chance.
            fc.pre(
              !Object.values(vocabulary).includes('unknown') &&
                !Object.values(vocabulary).includes('nothing'),
            )
            const words = query.map(([name, text]) => `${put(vocabulary, name)}=${encodeURIComponent(text)}`)
            const headers = {
              authorization: key ? basic(apiKey) : '',
              'idempotency-key': 'the same',
              'x-request-id': '1',
            }
            const own = query.map(([name, text]) => `${name}=${encodeURIComponent(text)}`)
            const asked = await send(plain, `${path}?${own.join('&')}`, { method, headers })
            const told = await send(other, `${segments.join('/')}?${words.join('&')}`, { method, headers })

            expect(told.status).toBe(asked.status)
            const kind = path.startsWith('/cash_ups') ? 'cashUp' : 'payment'
            const said = back(vocabulary, told, kind)
            if (asked.status === 400 && typeof asked.body === 'string') {
              const expected = parsed(asked)
              const [, name = '', problem = ''] = /^(\w+)( is not valid.*)$/s.exec(expected.message) ?? []
              expect(said).toEqual({ ...expected, message: `${put(vocabulary, name)}${problem}` })
            } else expect(typeof asked.body === 'string' ? JSON.stringify(said) : said).toBe(asked.body)
            const length = (response: HttpResponse) => Number(response.headers['Content-Length'])
            if (typeof told.body === 'string') expect(length(told)).toBe(Buffer.byteLength(told.body))
            expect({ ...told.headers, 'Content-Length': '' }).toEqual({
              ...asked.headers,
              'Content-Length': '',
            })
          },
        ),
        { numRuns: 150 },
      )
    },
  )

  test('what has another word is unknown under its old name: a parameter is ignored, a path is nothing', async () => {
    const { till, apiKey, pay } = await openTill()
    await pay({}, 'completed')
    const vocabulary = { scanCode: 'snapCode', payments: 'purchases', perPage: 'size' }
    const api = merchantApi(till, { vocabulary })
    const at = async (target: string) => send(api, target, { apiKey })
    expect(parsed(await at('/purchases?scanCode=other&perPage=0'))).toHaveLength(1)
    expect(parsed(await at('/purchases?snapCode=other'))).toHaveLength(0)
    expect(await at('/payments')).toMatchObject({ status: 404 })
    expect(parsed(await at('/purchases?size=0')).message).toMatch(/^size is not valid: it must be an integer/)
    expect(parsed(await at('/purchases?snapCode=')).message).toBe(
      'snapCode is not valid: it must not be empty',
    )
    expect(parsed(await at('/purchases?snapCode=a&snap%43ode=b')).message).toMatch(/^snapCode .* only once$/)
    expect((await send(api, '/purchases', { apiKey, method: 'POST' })).headers.Allow).toBe('GET, HEAD')
  })

  test('lists of devices have its words too', async () => {
    const { till, apiKey, pay } = await openTill({ deviceLists: true })
    await pay({ deviceSerialNumber: 'D-9' })
    const api = merchantApi(till, { vocabulary: { deviceSerialNumber: 'terminal' } })
    const [payment] = parsed(await send(api, '/payments', { apiKey }))
    expect(payment).toMatchObject({ terminal: 'D-9', transactionType: 'payment' })
    expect(payment).not.toHaveProperty('isVoucher')
  })

  test('the path of a further route has the words of paths alone', async () => {
    const { till, apiKey } = await openTill()
    const described = {
      operationId: 'look',
      summary: 'Looks',
      description: 'Looks.',
      tag: 'Look',
      answers: [],
    }
    const endpoint = async () => ({ status: 200, headers: {}, body: null })
    const routes = [{ ...described, method: 'GET', path: '/payments/status', endpoint }] as const
    const own = { authenticate: till.authenticate, tillOf: () => till, routes, logger: till.logger }
    const api = keyedApi(own, { vocabulary: { status: 'state', payments: 'purchases' } })
    expect((await send(api, '/purchases/status', { apiKey, method: 'DELETE' })).status).toBe(405)
  })

  test('errors of every kind have its words', async () => {
    const { till, apiKey } = await openTill()
    const api = merchantApi(till, { vocabulary: { message: 'text', code: 'kind' } })
    const told = async (sent: object, target = '/payments') => parsed(await send(api, target, sent))
    expect(await told({ secure: false })).toEqual({ text: 'HTTPS is required', kind: 'https_required' })
    expect(await told({})).toEqual({ text: 'Unauthorised', kind: 'unauthorised' })
    expect(await told({ apiKey }, '/payments/7')).toMatchObject({ kind: 'not_found' })
    expect(await told({ apiKey, method: 'DELETE' })).toMatchObject({ kind: 'method_not_allowed' })
    vi.spyOn(till.payments, 'list').mockRejectedValue(new Error('no'))
    expect(await told({ apiKey })).toEqual({ text: 'Internal server error', kind: 'internal' })
    const authenticate = () => Promise.reject(new Error('no'))
    const locked = merchantApi({ ...till, authenticate }, { vocabulary: { message: 'text' }, logger: false })
    expect(parsed(await send(locked, '/payments', { apiKey }))).toMatchObject({
      text: 'Internal server error',
    })
  })

  test('without one, what answers are made of is what they say', async () => {
    const { till, apiKey, pay } = await openTill()
    await pay({}, 'completed')
    const [none, empty, same] = [undefined, {}, { id: 'id' }].map(vocabulary =>
      merchantApi(till, { vocabulary }),
    )
    const told = await Promise.all(
      [none, empty, same].map(
        async api => (await send(api ?? none ?? merchantApi(till), '/payments', { apiKey })).body,
      ),
    )
    expect(new Set(told).size).toBe(1)
    expect(renamingOf({ page: 'p' }, 'payment')).toBeUndefined()
  })

  test.each([
    [{ scanCode: 'id' }, 'vocabulary.scanCode must not be id, the word for id beside it'],
    [{ snapCode: 'scanCode' }, 'vocabulary.snapCode is not a name of the vocabulary, which are id, '],
    ['snapCode', 'vocabulary must be an object'],
  ])('%j is refused at once', async (vocabulary, message) => {
    const { till } = await openTill()
    expect(() => merchantApi(till, { vocabulary: vocabulary as never })).toThrow(message)
  })
})
