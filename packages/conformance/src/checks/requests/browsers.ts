import type { Answer } from '../../network/answer.ts'
import type { Check } from '../../session/check.ts'
import { NotTried } from '../../session/not-tried.ts'

const has = (answer: Answer, header: string, wanted: string[]) => {
  const names = (answer.header(header) ?? '').split(',').map(name => name.trim().toLowerCase())
  return wanted.filter(name => !names.includes(name.toLowerCase()))
}

/** API 1.2: the question that a browser asks before. */
export const preflights: Check = {
  name: 'preflights',
  section: '1.2',
  title: 'preflights need no key and allow what the API has',
  async run(session) {
    const asked = [
      ['/payments', 'GET'],
      ['/payments/1', 'GET'],
      ['/cash_ups', 'POST'],
      ['/nowhere', 'GET'],
    ] as const
    for (const [path, method] of asked) {
      const answer = await session.ask({
        method: 'OPTIONS',
        path,
        credentials: 'none',
        headers: {
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization,idempotency-key',
        },
      })
      if (!session.expectStatus(answer, 204, 'for a preflight')) continue
      if (answer.bytes.length > 0) session.differ('a preflight is answered with a body', answer)
      if (answer.header('access-control-allow-origin') === null && answer.header('vary') !== null) {
        throw new NotTried('the instance names the origins that may call: give one of them with --origin')
      }
      const methods = has(answer, 'access-control-allow-methods', ['GET', 'HEAD', 'POST'])
      if (methods.length > 0) session.differ(`Access-Control-Allow-Methods is without ${methods}`, answer)
      const headers = has(answer, 'access-control-allow-headers', [
        'Authorization',
        'Content-Type',
        'Idempotency-Key',
      ])
      if (headers.length > 0) session.differ(`Access-Control-Allow-Headers is without ${headers}`, answer)
      if (!/^\d+$/.test(answer.header('access-control-max-age') ?? '')) {
        session.differ('Access-Control-Max-Age should be a number of seconds', answer)
      }
    }
    const other = await session.ask({ method: 'OPTIONS', path: '/payments', credentials: 'key' })
    session.expectStatus(other, 405, 'for OPTIONS that is no preflight')
  },
}

/** API 1.3: whose id an answer has. The rule of that name compares. */
export const requestIdsEchoed: Check = {
  name: 'request-ids-echoed',
  section: '1.3',
  title: 'a fit X-Request-Id comes back, another is replaced',
  async run(session) {
    const ids = ['till-3.42', 'A', 'Z_9-.', 'x'.repeat(128), 'x'.repeat(129), 'not fit', 'a/b', '"quoted"']
    for (const id of ids) await session.get('/payments', 'perPage=1', { 'x-request-id': id })
    await session.get('/nowhere', undefined, { 'x-request-id': 'till-404' })
    await session.get('/payments', 'page=0', { 'x-request-id': 'till-400' })
    await session.ask({ path: '/payments', credentials: 'none', headers: { 'x-request-id': 'till-401' } })
  },
}
