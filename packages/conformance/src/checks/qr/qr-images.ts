import { ask, type Codes, checkImage } from '../../qr/images.ts'
import type { Check } from '../../session/check.ts'

/** Sizes in pixels: the ends, the one in place of none, and some that no module fits evenly. */
const SIZES = [125, 200, 97, 333, 499, 500, 51, 50]

const QUERIES = [
  'id=INV-1002&amount=1250&strict=true',
  'id=a%20b+c&x=%c3%a9&y=%C3%A9&z&w=',
  'b=2&a=1&b=3&%61=4',
  'note=%2B%26%3D%23&id=%7E~!*()',
  'ID=x&Amount=y',
]

/** API 4.7: what an image is like, and what the code in it carries. */
export function images(codes: Codes): Check {
  return {
    name: 'qr-images',
    section: '4.7',
    title: 'svg and png, exactly as large as asked, whose code carries the payment URL',
    async run(session) {
      const { scanCode } = codes
      for (const type of ['png', 'svg']) {
        const path = `/qr/${scanCode}.${type}`
        await checkImage(session, codes, await ask(session, path), 125, '')
        for (const size of SIZES) {
          await checkImage(session, codes, await ask(session, path, `scan_code_size=${size}`), size, '')
        }
      }
    },
  }
}

/** API 4.7: the query in a code is the one that was asked for, byte for byte, without `scan_code_size`. */
export function encodedQueries(codes: Codes): Check {
  return {
    name: 'qr-queries',
    section: '4.7',
    title: 'the code carries the query byte for byte, without the extension and scan_code_size',
    async run(session) {
      for (const type of ['png', 'svg']) {
        const path = `/qr/${codes.scanCode}.${type}`
        for (const query of QUERIES) {
          await checkImage(
            session,
            codes,
            await ask(session, path, `${query}&scan_code_size=400`),
            400,
            query,
          )
        }
        const [query = ''] = QUERIES
        await checkImage(session, codes, await ask(session, path, `scan_code_size=300&${query}`), 300, query)
        const inside = query.replace('&', '&scan_code_size=300&')
        await checkImage(session, codes, await ask(session, path, inside), 300, query)
        await checkImage(session, codes, await ask(session, path, query), 125, query)
      }
    },
  }
}

/** API 4.7: images may be kept, and are known by their `ETag`. */
export function cachedImages({ scanCode }: Codes): Check {
  return {
    name: 'qr-caching',
    section: '4.7',
    title: 'images have an ETag and may be cached for a day; whoever has one gets 304',
    async run(session) {
      const tags = new Map<string, string>()
      for (const target of ['.png', '.svg', '.png?scan_code_size=200', '.png?id=1']) {
        const [extension = '', query] = target.split('?')
        const path = `/qr/${scanCode}${extension}`
        const answer = await ask(session, path, query)
        if (!session.expectStatus(answer, 200, 'for an image')) continue
        const [etag, control] = [answer.header('etag'), answer.header('cache-control')]
        if (!/max-age=86400\b/.test(control ?? '') || /no-store|private/.test(control ?? '')) {
          session.differ(`Cache-Control should be public, max-age=86400, and is ${control}`, answer)
        }
        if (!/^(W\/)?"[^"]*"$/.test(etag ?? '')) {
          session.differ(`ETag should be a quoted text, and is ${etag}`, answer)
          continue
        }
        if ([...tags.values()].includes(etag as string))
          session.differ('ETag is that of another image', answer)
        tags.set(target, etag as string)
        const headers = { 'if-none-match': etag as string }
        const known = await session.ask({ place: 'qr', path, ...(query && { query }), headers })
        if (!session.expectStatus(known, 304, 'for an image that is known')) continue
        if (known.bytes.length > 0) session.differ('a 304 has a body', known)
        if (known.header('etag') !== etag) session.differ('ETag of the 304 is another', known)
        const other = { 'if-none-match': '"another"' }
        const changed = await session.ask({ place: 'qr', path, ...(query && { query }), headers: other })
        session.expectStatus(changed, 200, 'for another ETag')
        const head = await session.ask({ place: 'qr', path, ...(query && { query }), method: 'HEAD' })
        session.expectStatus(head, 200, 'as for GET')
        for (const name of ['etag', 'content-type', 'content-length']) {
          if (head.header(name) !== answer.header(name)) session.differ(`${name} of HEAD is another`, head)
        }
      }
    },
  }
}
