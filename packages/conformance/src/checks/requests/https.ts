import { isLocal } from '../../network/local.ts'
import { NoAnswer } from '../../network/question.ts'
import { isObject } from '../../rules/kinds.ts'
import type { Check } from '../../session/check.ts'
import { NotTried } from '../../session/not-tried.ts'

/** API 5.2 and 7.3: plain HTTP is refused, and never redirected. The key is not sent there. */
export const https: Check = {
  name: 'https',
  section: '5.2',
  title: 'plain HTTP gets 403 https_required, and no redirect',
  async run(session) {
    const { plain, api } = session.instance.addresses
    if (plain === null) {
      throw new NotTried(`plain HTTP: no address is known beside ${api}, so none was tried`)
    }
    for (const path of ['/payments', '/nowhere']) {
      const answer = await session
        .ask({ place: 'plain', path, credentials: 'none' })
        .catch(error => (error instanceof NoAnswer ? null : Promise.reject(error)))
      // Nobody there: plain HTTP fails, which is what is wanted.
      if (answer === null) return
      if (plain === api && isLocal(plain) && answer.status === 401) {
        throw new NotTried(
          'plain HTTP is answered at an address of this machine or network: taken for local work',
        )
      }
      if (!session.expectStatus(answer, 403, 'over plain HTTP')) continue
      const code = isObject(answer.json) ? answer.json.code : undefined
      if (code !== 'https_required') session.differ(`code should be https_required, and is ${code}`, answer)
    }
  },
}
