import { paymentUrl, qrImage } from '@tillkit/qr'
import { expect, test } from 'vitest'
import { decode, fromPng, fromSvg } from './pictures.ts'

/** QR_SWEEP=full draws and decodes each size with each of the URLs; otherwise each size has one of them. */
const full = process.env.QR_SWEEP === 'full'

/** Payment URLs of every kind and length, from the shortest to what no PNG of 500 pixels has room for. */
const urls = Array.from({ length: 40 }, (_, n) =>
  paymentUrl({
    qrBaseUrl: ['https://pay.example.com', 'http://localhost:8787', 'https://p.ly'][n % 3] as string,
    scanCode: ['3kT9xLq0aBcD', 'A', 'x_-'.repeat(21)][n % 3] as string,
    ...(n % 2 === 0 && { merchantReference: `order ${n ** 5} "Zoë" 💶 +%&=#` }),
    ...(n % 3 !== 0 && { requiredAmount: 10 ** (n % 16) - 1 }),
    ...(n % 4 === 0 && { strict: true }),
    ...(n > 5 && { extra: { '': 'ключ'.repeat(n), __proto__x: '', [`n${n}`]: '0123456789'.repeat(n) } }),
  }),
)

/** Draws each URL at that size and reads it back; returns how many were large enough to be drawn. */
async function readBack(size: number, chosen: string[]): Promise<number> {
  let read = 0
  for (const url of chosen) {
    const drawing = await qrImage(url, { type: 'png', size }).catch(
      (error: Error & { smallestSize?: number }) => error,
    )
    if (drawing instanceof Error) {
      // Refused only where a module would have less than a pixel.
      expect(drawing.smallestSize).toBeGreaterThan(size)
      continue
    }
    const picture = fromPng(drawing)
    expect([picture.width, picture.height]).toEqual([size, size])
    expect(decode(picture)).toBe(url)
    read++
  }
  return read
}

test.each([50, 150, 250, 350, 450])(
  'every size from %i on can be read',
  async first => {
    let read = 0
    for (let size = first; size < first + 100 && size <= 500; size++) {
      const one = urls[(size * 7) % urls.length] as string
      read += await readBack(size, full ? urls : [one])
      const document = await qrImage(one, { type: 'svg', size })
      expect(document).toContain(` width="${size}" height="${size}" `)
      if (full) expect(decode(fromSvg(document, 3))).toBe(one)
    }
    expect(read).toBeGreaterThan(full ? 1500 : 25)
    if (full) console.log(`${read} images read, from ${first} pixels on`)
  },
  full ? 3_600_000 : 120_000,
)

test('the size that a refusal names is the smallest that can be read, and it can', async () => {
  for (const url of urls) {
    const refused = await qrImage(url, { type: 'png', size: 50 }).catch(error => error)
    if (!(refused instanceof Error)) continue
    const size = (refused as Error & { smallestSize: number }).smallestSize
    expect(decode(fromPng(await qrImage(url, { type: 'png', size })))).toBe(url)
    await expect(qrImage(url, { type: 'png', size: size - 1 })).rejects.toThrow(
      `size must be at least ${size}`,
    )
  }
})
