import { randomUUID } from 'node:crypto'
import { seenIn } from '../../account/seen.ts'
import type { Answer } from '../../network/answer.ts'
import { isObject, itemsOf, shown } from '../../rules/kinds.ts'
import { integer } from '../../rules/pages.ts'
import type { Check } from '../../session/check.ts'
import { NotTried } from '../../session/not-tried.ts'
import type { Session } from '../../session/session.ts'

const post = (
  session: Session,
  key: string | null,
  more: { path?: string; query?: string; body?: string } = {},
) =>
  session.ask({
    method: 'POST',
    path: '/cash_ups',
    ...more,
    headers: key === null ? {} : { 'idempotency-key': key },
  })

const referenceOf = ({ json }: Answer) => (isObject(json) ? String(json.reference) : '')
const total = async (session: Session) => integer(await session.get('/cash_ups', 'perPage=1'), 'X-Total') ?? 0

/** API 4.4: cash ups are made, where that is allowed. */
export function creating(destructive: boolean): Check {
  return {
    name: 'creating-cash-ups',
    section: '4.4',
    title: 'POST /cash_ups ends a period; the same Idempotency-Key gets the same cash up',
    async run(session) {
      if (!destructive) throw new NotTried('it creates cash ups: tried with --destructive only')
      session.expectStatus(await session.ask({ method: 'POST', path: '/cash_ups', credentials: 'none' }), 401)
      const before = await total(session)
      for (const key of ['', 'x'.repeat(256)]) {
        const refused = await post(session, key)
        if (!session.expectStatus(refused, 400, `for an Idempotency-Key of ${key.length} characters`))
          continue
        if (!/idempotency-key/i.test(refused.text))
          session.differ('the message should name Idempotency-Key', refused)
      }
      if ((await total(session)) !== before) {
        session.differ('a cash up was made for a request that was refused', { curl: 'GET /cash_ups' })
      }
      const earlier = itemsOf(await session.get('/cash_ups', 'perPage=100')).map(({ reference }) =>
        String(reference),
      )
      const [newest] = itemsOf(await session.get('/payments', 'status=completed&perPage=1'))
      const key = randomUUID()
      const first = await post(session, key)
      if (!session.expectStatus(first, 200, 'for a new cash up')) return
      await holdsNewest(session, [referenceOf(first), ...earlier], newest?.id)
      const again = [
        await post(session, key),
        await post(session, key, { body: '{"any":"body"}' }),
        await post(session, key, { path: '/cash_ups/' }),
        await post(session, key, { query: 'page=0' }),
        ...(await Promise.all([1, 2, 3, 4].map(() => post(session, key)))),
      ]
      for (const answer of again) {
        if (!session.expectStatus(answer, 200, 'for the same Idempotency-Key')) continue
        if (answer.text !== first.text) {
          session.differ(
            `expected the same cash up, ${referenceOf(first)}, got ${referenceOf(answer)}`,
            answer,
          )
        }
      }
      // Keys that begin alike, and keys of other letters, are other keys.
      const longest = await post(session, key.padEnd(255, 'y'))
      session.expectStatus(longest, 200, 'for an Idempotency-Key of 255 characters')
      const capitals = await post(session, `K-${key}`)
      const small = await post(session, `k-${key}`)
      const racing = key.padEnd(254, 'y').concat('z')
      const raced = await Promise.all([1, 2, 3, 4, 5].map(() => post(session, racing)))
      const references = new Set(raced.map(referenceOf))
      if (references.size !== 1) {
        session.differ(
          `one Idempotency-Key, five requests at once: ${references.size} cash ups`,
          raced[0] as Answer,
        )
      }
      const keyless = [await post(session, null), await post(session, null)]
      for (const answer of keyless) session.expectStatus(answer, 200, 'for a cash up without a key')

      const made = [first, longest, capitals, small, raced[0] as Answer, ...keyless].map(referenceOf)
      if (new Set(made).size !== made.length)
        session.differ('two requests of their own got one cash up', longest)
      const list = await session.get('/cash_ups', 'perPage=100')
      const listed = itemsOf(list).map(({ reference }) => String(reference))
      const ours = listed.filter(reference => made.includes(reference))
      if (ours.join() !== made.toReversed().join()) {
        session.differ(
          `the list should have the new cash ups, newest first: ${shown(made.toReversed())}`,
          list,
        )
      }
      const shownFirst = itemsOf(list).find(({ reference }) => reference === referenceOf(first))
      if (shownFirst && isObject(first.json) && shownFirst.date !== first.json.date)
        session.differ(
          `the list has the date ${shown(shownFirst.date)}, and it was made ${shown(first.json.date)}`,
          list,
        )
      const now = integer(list, 'X-Total') ?? 0
      if (
        now < before + made.length ||
        (listed.slice(0, made.length).join() === ours.join() && now !== before + made.length)
      ) {
        session.differ(`X-Total should be ${before + made.length}, and is ${now}`, list)
      }
      await emptyPeriod(session, made.at(-1) ?? '')
    },
  }
}

/** So many periods are asked for the newest payment: those before it may be empty, as cash ups of another run are. */
const PERIODS = 50

/** The newest completed payment is in the period that just ended, or in the first before it that has any. */
async function holdsNewest(session: Session, references: string[], id: unknown): Promise<void> {
  if (id === undefined) return session.skip('there is no completed payment to be found in the new period')
  let asked: Answer | undefined
  for (const reference of references.slice(0, PERIODS)) {
    const answer = await session.get(`/payments/cash_ups/${reference}`, 'perPage=100')
    if (answer.status === 500)
      return session.skip('the new period has pending payments: its list was not tried')
    asked ??= answer
    if (itemsOf(answer).some(payment => payment.id === id)) return
    // Its newest are on the first page: an older period cannot have a newer payment.
    if (itemsOf(answer).length > 0)
      return session.differ(`payment ${id} was completed before the cash up, and is not listed`, asked)
  }
  if (references.length > PERIODS)
    return session.skip(`the newest ${PERIODS} cash ups are empty: where the newest payment is was not tried`)
  if (asked) session.differ(`payment ${id} was completed before the cash up, and is not listed`, asked)
}

/** Of two cash ups one after the other the second has what came between them: mostly nothing. */
async function emptyPeriod(session: Session, reference: string): Promise<void> {
  const answer = await session.get(`/payments/cash_ups/${reference}`)
  if (answer.status === 500) return
  if (!session.expectStatus(answer, 200, 'for an empty period')) return
  const [newest] = seenIn(itemsOf(await session.get('/payments', 'perPage=1')))
  const found = seenIn(itemsOf(answer))
  const oldest = found.at(-1)
  if (oldest && newest && newest.id - oldest.id > 50) {
    session.differ('a period that has just begun lists payments of an earlier one', answer)
  }
}
