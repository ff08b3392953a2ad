import { stateOf, totalShown } from '../shop.ts'

/** A page that a customer is on. */
export interface Shown {
  url: string
  status: number
  headers: Headers
  text: string
  /** Which page of the checkout it is. */
  state: string | undefined
}

/** A customer's browser without JavaScript, over sockets: follows redirects and keeps each site's cookies, as `SameSite=Lax` has it. */
export function walker({ cookies = true } = {}) {
  const jars = new Map<string, string>()

  async function go(url: string, init: RequestInit = {}, from = url): Promise<Shown> {
    const { origin } = new URL(url)
    const crossPost = init.method === 'POST' && new URL(from).origin !== origin
    const jar = crossPost ? undefined : jars.get(origin)
    const headers = {
      ...(jar !== undefined && { cookie: jar }),
      ...(init.method === 'POST' && { origin: new URL(from).origin }),
    }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    const given = response.headers.get('set-cookie')?.split(';')[0]
    if (given && cookies) jars.set(origin, given)
    const location = response.headers.get('location')
    if (location !== null) {
      await response.body?.cancel()
      return go(new URL(location, url).href, {}, from)
    }
    const text = await response.text()
    return { url, status: response.status, headers: response.headers, text, state: stateOf(text) }
  }

  return {
    open: (url: string) => go(url),
    /** Presses the checkout's button, agreeing to the total. */
    pay: (page: Shown) =>
      go(page.url, { method: 'POST', body: new URLSearchParams({ total: totalShown(page.text) }) }),
    /** Goes where the page says that the payment is confirmed. */
    goOn(page: Shown): Promise<Shown> {
      const [, link] = /<a class="button" data-go href="([^"]*)"/.exec(page.text) ?? []
      if (link !== undefined) return go(unescaped(link))
      return submit(page, {})
    },
    /** Presses a button of the bank's page. */
    decide: (page: Shown, decision: 'approve' | 'decline') => submit(page, { decision }),
    /** Presses the only button of a page's form. */
    submit: (page: Shown) => submit(page, {}),
    /** Follows the link by which the bank's page is left. */
    leave: (page: Shown) => go(unescaped(/<a href="([^"]*)">leave/.exec(page.text)?.[1] ?? '')),
  }

  function submit(page: Shown, pressed: Record<string, string>): Promise<Shown> {
    const [, action = '', inside = ''] =
      /<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/s.exec(page.text) ?? []
    const hidden = [...inside.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
    const body = new URLSearchParams(
      hidden.map(([, name = '', value = '']): [string, string] => [unescaped(name), unescaped(value)]),
    )
    for (const [name, value] of Object.entries(pressed)) body.set(name, value)
    return go(new URL(unescaped(action), page.url).href, { method: 'POST', body }, page.url)
  }
}

export type Walker = ReturnType<typeof walker>

function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}
