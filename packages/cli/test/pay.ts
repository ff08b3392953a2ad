/** Pays 12.50 on the page of the code `counter`. */
export async function pay(origin: string): Promise<Response> {
  const scanned = await fetch(`${origin}/qr/counter`, { redirect: 'manual' })
  const headers = { cookie: scanned.headers.get('set-cookie')?.split(';')[0] ?? '' }
  const page = new URL(scanned.headers.get('location') ?? '', scanned.url)
  const body = new URLSearchParams({ amount: '12.50', total: '1250' })
  return fetch(page, { method: 'POST', body, headers, redirect: 'manual' })
}
