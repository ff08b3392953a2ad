import { ask, type Codes, needsNoSignature } from '../../qr/images.ts'
import { isObject } from '../../rules/kinds.ts'
import type { Check } from '../../session/check.ts'

const NO_SIZES = ['49', '501', '20', '0', '-1', 'x', '', '125.5', '1e2', '99999999999999999999']
const NO_PARAMETERS: [name: string, query: string][] = [
  ['amount', 'amount=x'],
  ['amount', 'amount=-1'],
  ['amount', 'amount=1.5'],
  ['amount', 'amount='],
  ['amount', 'amount=9007199254740992'],
  ['amount', 'amount=1&amount=1'],
  ['id', 'id=1&id=2'],
  ['strict', 'strict=true&strict=true'],
  ['strict', 'strict=yes'],
]

/** API 4.7: what an image, or a payment URL, is refused for. */
export function qrRefusals({ scanCode }: Codes): Check {
  return {
    name: 'qr-refusals',
    section: '4.7',
    title: 'unknown codes are 404; sizes from 50 to 500, URLs up to 800 characters',
    async run(session) {
      for (const path of [`/qr/${scanCode}.svg`, `/qr/${scanCode}.png`]) {
        needsNoSignature(await ask(session, path))
        for (const size of [...NO_SIZES, '100&scan_code_size=100']) {
          const answer = await ask(session, path, `scan_code_size=${size}`)
          if (!session.expectStatus(answer, 400, 'for a size that is none')) continue
          const message = isObject(answer.json) ? String(answer.json.message) : ''
          const name = session.instance.words.name('scan_code_size')
          if (!message.includes(name))
            session.differ(`the message should name ${name}, and is ${message}`, answer)
        }
        const long = await ask(session, path, `scan_code_size=500&note=${'n'.repeat(820)}`)
        session.expectStatus(long, 400, 'for a URL of more than 800 characters')
        const fine = await ask(session, path, `scan_code_size=500&note=${'n'.repeat(500)}`)
        session.expectStatus(fine, 200, 'for a URL of less than 800 characters')
        for (const method of ['POST', 'DELETE']) {
          const answer = await session.ask({ place: 'qr', path, method })
          session.expectStatus(answer, 405, `for ${method}`)
        }
      }
      await smallest(session)
      const unknown = ['no-such-code-7c1e', 'x'.repeat(65), `${scanCode}x`, `${scanCode}%20`]
      for (const code of unknown) {
        for (const extension of ['.svg', '.png', '']) {
          session.expectStatus(
            await ask(session, `/qr/${code}${extension}`),
            404,
            'for a code that there is not',
          )
        }
      }
      session.expectStatus(await ask(session, `/qr/${scanCode}.gif`), 404, 'for another kind of image')
    },
  }

  async function smallest(session: Parameters<Check['run']>[0]) {
    const path = `/qr/${scanCode}.png`
    const query = `note=${'n'.repeat(400)}`
    const answer = await ask(session, path, `${query}&scan_code_size=50`)
    if (!session.expectStatus(answer, 400, 'for a PNG of fewer pixels than its code needs')) return
    const size = Number(/\b(\d+)\b/.exec(isObject(answer.json) ? String(answer.json.message) : '')?.[1])
    if (!(size > 50 && size <= 500))
      return session.differ('the message should say how many pixels work', answer)
    session.expectStatus(
      await ask(session, path, `${query}&scan_code_size=${size}`),
      200,
      'for the size it names',
    )
    const less = await ask(session, path, `${query}&scan_code_size=${size - 1}`)
    session.expectStatus(less, 400, 'for one pixel less than it names')
  }
}

/** API 4.7: the page behind a code. What it looks like is the provider's. */
export function paymentPage({ scanCode }: Codes): Check {
  return {
    name: 'payment-page',
    section: '4.7',
    title: 'a payment URL is answered; a wrong or repeated id, amount or strict is 400',
    async run(session) {
      const path = `/qr/${scanCode}`
      for (const query of [undefined, 'id=INV-1002&amount=1250', 'amount=0', 'strict=false&table=7']) {
        const answer = await ask(session, path, query)
        needsNoSignature(answer)
        if (answer.status === 403) return session.skip('the code takes no payments now')
        if (answer.status >= 400) session.differ(`expected a page, got ${answer.status}`, answer)
        else if (answer.status === 200 && !/^text\/html/.test(answer.header('content-type') ?? '')) {
          session.skip('the page is no HTML: what it should be is the provider’s to say')
        }
      }
      for (const [name, query] of NO_PARAMETERS) {
        const answer = await ask(session, path, query)
        session.expectStatus(answer, 400, `for a wrong ${name}`)
      }
    },
  }
}
