import type { Account } from '../../account/account.ts'
import type { Check } from '../../session/check.ts'

const HEADERS: Record<string, string>[] = [
  { accept: 'text/html,application/xhtml+xml;q=0.9' },
  { accept: 'application/xml' },
  { 'accept-language': 'de-DE,de' },
  { cookie: 'session=1; lang=de' },
]

/** API 1.1: what a client is and likes to read changes nothing. */
export function otherHeaders({ window }: Account): Check {
  return {
    name: 'other-headers',
    section: '1.1',
    title: 'answers are JSON, whatever Accept, Accept-Language and Cookie say',
    async run(session) {
      const query = `endDate=${window?.endDate ?? '2000-01-01T00:00:00Z'}&perPage=3`
      const plain = await session.get('/payments', query)
      for (const headers of HEADERS) {
        const answer = await session.get('/payments', query, headers)
        if (!session.expectStatus(answer, plain.status, 'as without the header')) continue
        if (answer.text !== plain.text) session.differ('another answer than without the header', answer)
        const unknown = await session.get('/nowhere', undefined, headers)
        session.expectStatus(unknown, 404, 'as without the header')
        const type = unknown.header('content-type') ?? ''
        if (!type.startsWith('application/json')) session.differ(`an error is ${type}`, unknown)
      }
    },
  }
}
