import type { Account } from '../../account/account.ts'
import type { SeenPayment } from '../../account/seen.ts'
import type { Check } from '../../session/check.ts'
import { NotTried } from '../../session/not-tried.ts'

/** Of so many random codes that all fall into a pattern, none is by chance. */
const ENOUGH = 3

/** API 2.1: codes are for telling who has paid: nobody may know them before. */
export function authCodes({ window }: Account): Check {
  return {
    name: 'auth-codes',
    section: '2.1',
    title: 'auth codes differ, and do not follow from ids',
    async run(session) {
      const coded = (window?.payments ?? []).filter(({ authCode }) => typeof authCode === 'string')
      const [newest] = coded
      if (newest === undefined || coded.length < ENOUGH)
        throw new NotTried('fewer than three payments with an auth code were read')
      const answer = await session.get(`/payments/${newest.id}`)
      if (coded.every(({ authCode }) => authCode === newest.authCode))
        session.differ(`each of ${coded.length} payments has the auth code ${newest.authCode}`, answer)
      const step = distance(newest)
      if (coded.every(payment => distance(payment) === step))
        session.differ(
          `each of ${coded.length} auth codes is ${step} more than the id of its payment`,
          answer,
        )
    },
  }
}

function distance({ id, authCode }: SeenPayment): number {
  return Number(authCode) - id
}
