import { setTimeout as sleep } from 'node:timers/promises'
import type { Journal } from '../journal/journal.ts'
import { MARK } from '../journal/mark.ts'
import type { Random } from '../random.ts'

/** Where a customer's browser can be sent: the hosts that run now, all of them the same to it. */
export type Origins = () => string[]

const STATE = /<main data-state="([a-z]+)"/
const HIDDEN = /<input type="hidden" name="([a-z]+)" value="([^"]*)"/g

/**
 * A customer scans a code, presses the button more often than it takes, loads the page again, and goes on until it shows
 * how it ended, or that it is waited for. Its payment is one, whatever they do and whichever host answers.
 */
export async function pay(
  attempt: string,
  scan: { merchantId: string; scanCode: string },
  {
    origins,
    random,
    journal,
    signal,
  }: { origins: Origins; random: Random; journal: Journal; signal: AbortSignal },
): Promise<void> {
  const totalAmount = random.whole(1, 10_000)
  const { merchantId, scanCode } = scan
  const cookies = new Map<string, string>()
  journal.write({ what: 'asked', attempt, keyed: true, merchantId, totalAmount })

  /** Asks any host, and follows where it leads; null when it did not answer. */
  async function go(path: string, form?: URLSearchParams): Promise<{ path: string; page: string } | null> {
    try {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(`${random.pick(origins())}${path}`, {
        ...{ redirect: 'manual', headers: { cookie }, signal },
        ...(form && { method: 'POST', body: form }),
      })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, value)
      }
      const location = response.headers.get('location')
      const page = await response.text()
      if (location === null) return { path, page }
      const next = new URL(location, `http://host${path}`)
      return go(`${next.pathname}${next.search}`)
    } catch {
      signal.throwIfAborted()
      await sleep(50)
      return null
    }
  }

  const query = new URLSearchParams({ amount: `${totalAmount}`, attempt, text: MARK })
  let seen = await go(`/qr/${scanCode}?${query}`)
  for (let tries = 0; tries < 30; tries++) {
    const state = seen && STATE.exec(seen.page)?.[1]
    if (state === 'completed' || state === 'error') return
    if (!seen) {
      // Nothing was pressed yet where the page of the attempt was never seen: a scan is an attempt of its own.
      seen = await go(`/qr/${scanCode}?${query}`)
    } else if (state === 'pay') {
      const { path, page } = seen
      const form = new URLSearchParams(
        [...page.matchAll(HIDDEN)].map(([, name = '', value = '']): [string, string] => [name, value]),
      )
      const presses = Array.from({ length: random.whole(1, 3) }, () => go(path, form))
      const answers = (await Promise.all(presses)).filter(answer => answer !== null)
      seen = answers.find(answer => STATE.exec(answer.page)?.[1] !== 'pay') ?? answers[0] ?? { path, page }
    } else {
      if (state === 'pending' && tries > 5) return
      await sleep(100)
      seen = (await go(seen.path)) ?? seen
    }
  }
}
