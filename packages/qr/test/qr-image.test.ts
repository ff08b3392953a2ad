import { QrError, qrImage } from '@tillkit/qr'
import fc from 'fast-check'
import { create, type QRCodeMaskPattern, type QRCodeSegment } from 'qrcode'
import { describe, expect, test, vi } from 'vitest'
import { decode, fromPng, fromSvg, type Picture } from './pictures.ts'

// jsQR takes a tenth of a second over a picture, and more where the machine is busy.
vi.setConfig({ testTimeout: 120_000 })

/** As in the sweep: QR_SWEEP=full reads more of what is drawn. */
const full = process.env.QR_SWEEP === 'full'

const start = 'https://pay.example.com/qr/3kT9xLq0aBcD?id='
const sizes = [50, 51, 64, 97, 125, 126, 127, 128, 200, 255, 333, 499, 500]

/** A URL of that many characters: digits, capitals, percent escapes and small letters in turn. */
function urlOf(length: number): string {
  const mix = '2026112000931ABCDEF%E2%82%AC%C3%A9order-zx&note=Kf8s_2h~'
  return start + mix.repeat(Math.ceil(length / mix.length)).slice(0, length - start.length)
}

/** Where the dark is, and whether every module is the same whole number of pixels. */
function geometry({ width, height, grey }: Picture, side: number) {
  const dark = (x: number, y: number) => grey[y * width + x] === 0
  const all = Array.from({ length: width }, (_, i) => i)
  const left = all.findIndex(x => all.some(y => dark(x, y)))
  const top = all.findIndex(y => all.some(x => dark(x, y)))
  const right = width - 1 - all.findLastIndex(x => all.some(y => dark(x, y)))
  const bottom = height - 1 - all.findLastIndex(y => all.some(x => dark(x, y)))
  const scale = (width - left - right) / side
  const even = all.every(i =>
    all.every(j => {
      if (i < left || j < top || i >= width - right || j >= height - bottom) return true
      return dark(i, j) === dark(i - ((i - left) % scale), j - ((j - top) % scale))
    }),
  )
  return { left, top, right, bottom, scale, even }
}

const sideOf = (svg: string) => Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]) - 8

describe('a PNG', () => {
  test.each(sizes)('of %i pixels has that size, whole modules, and holds the URL', async size => {
    for (let length = 50; length <= 900; length += 53) {
      const url = urlOf(length)
      const side = sideOf(await qrImage(url, { type: 'svg', size }))
      if (side > size) continue
      const picture = fromPng(await qrImage(url, { type: 'png', size }))
      expect([picture.width, picture.height]).toEqual([size, size])
      const { left, top, right, bottom, scale, even } = geometry(picture, side)
      expect(scale).toBe(Math.max(1, Math.floor(size / (side + 8))))
      expect(even).toBe(true)
      expect(left).toBe(top)
      expect(right).toBe(bottom)
      expect(right - left).toBeOneOf([0, 1])
      if (size >= side + 8) expect(left).toBeGreaterThanOrEqual(4 * scale)
      expect(decode(picture)).toBe(url)
    }
  })

  test('has each size from 50 to 500, and can be read', async () => {
    for (let size = 50; size <= 500; size++) {
      const url = `${start}${size}&amount=12900`
      const picture = fromPng(await qrImage(url, { type: 'png', size }))
      expect([picture.width, picture.height]).toEqual([size, size])
      if (size % (full ? 4 : 16) === 2) expect(decode(picture)).toBe(url)
    }
  })

  test('holds each length of URL there is room for, up to the longest', async () => {
    for (let length = 60; length <= 2900; length += 71) {
      const url = `${start}${'z'.repeat(length - start.length)}`
      expect(decode(fromPng(await qrImage(url, { type: 'png', size: 500 })))).toBe(url)
    }
  })

  test('holds any URL of visible ASCII, byte for byte', async () => {
    const visible = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map(code => String.fromCharCode(code)),
    })
    const pieces = fc.array(
      fc.oneof(visible, fc.stringMatching(/^[0-9]{1,30}$/), fc.stringMatching(/^[A-Z%:]{1,30}$/)),
    )
    await fc.assert(
      fc.asyncProperty(pieces, fc.integer({ min: 150, max: 500 }), async (query, size) => {
        const url = `https://x.example/qr/A?${query.join('')}`
        expect(decode(fromPng(await qrImage(url, { type: 'png', size })))).toBe(url)
      }),
      { numRuns: full ? 400 : 60 },
    )
  })

  test('with fewer pixels than modules is refused, and the size it names works', async () => {
    for (const length of [240, 300, 500, 1000, 2000]) {
      const url = urlOf(length)
      const error = await qrImage(url, { type: 'png', size: 50 }).catch(error => error)
      expect(error).toBeInstanceOf(QrError)
      const size = error.smallestSize as number
      expect(error).toMatchObject({ code: 'invalid_input', parameter: 'size' })
      expect(error.message).toBe(`size must be at least ${size} for this URL`)
      expect(decode(fromPng(await qrImage(url, { type: 'png', size })))).toBe(url)
      await expect(qrImage(url, { type: 'png', size: size - 1 })).rejects.toThrow(error.message)
    }
  })

  test('is one bit a pixel', async () => {
    const bytes = await qrImage(urlOf(80), { type: 'png', size: 500 })
    expect(bytes).toBeInstanceOf(Uint8Array)
    expect([...bytes.subarray(24, 29)]).toEqual([1, 0, 0, 0, 0])
    expect(bytes.length).toBeLessThan(1500)
  })
})

describe('an SVG', () => {
  test('is one path that holds the URL, at the size asked for', async () => {
    for (let length = 50; length <= 2000; length += 57) {
      const url = urlOf(length)
      const size = sizes[length % sizes.length] as number
      const document = await qrImage(url, { type: 'svg', size })
      expect(document.match(/<path/g)).toHaveLength(1)
      expect(document).toContain(` width="${size}" height="${size}" `)
      const picture = fromSvg(document, 3)
      expect(geometry(picture, sideOf(document))).toEqual({
        left: 12,
        top: 12,
        right: 12,
        bottom: 12,
        scale: 3,
        even: true,
      })
      expect(decode(picture)).toBe(url)
    }
  })

  test('has a title, escaped', async () => {
    const document = await qrImage(`https://x.example/qr/A?a=</title><script>"'&b=`, {
      type: 'svg',
      size: 125,
    })
    expect(document).toContain('role="img"')
    expect(document).toContain(
      '<title>QR code of https://x.example/qr/A?a=&#60;/title&#62;&#60;script&#62;&#34;&#39;&#38;b=</title>',
    )
  })

  test('shows the same modules as the PNG', async () => {
    const url = urlOf(160)
    const document = await qrImage(url, { type: 'svg', size: 125 })
    const side = sideOf(document) + 8
    expect(fromPng(await qrImage(url, { type: 'png', size: side }))).toEqual(fromSvg(document, 1))
  })
})

describe('the symbol', () => {
  const sideAt = (url: string, level: 'L' | 'M' | 'Q' | 'H') => {
    return create([{ data: Buffer.from(url), mode: 'byte' }], { errorCorrectionLevel: level }).modules.size
  }

  /** The level of a symbol, from its format information: two bits at row 8, masked with 10. */
  const levelOf = (document: string) => {
    return (['M', 'L', 'H', 'Q'] as const)[((formatAt(document, 0) << 1) | formatAt(document, 1)) ^ 0b10]
  }

  /** The mask, from the three bits after it, masked with 101. */
  const maskOf = (document: string) => {
    const bits = (formatAt(document, 2) << 2) | (formatAt(document, 3) << 1) | formatAt(document, 4)
    return (bits ^ 0b101) as QRCodeMaskPattern
  }

  const formatAt = (document: string, column: number) => {
    const { width, grey } = fromSvg(document, 1)
    return grey[12 * width + 4 + column] === 0 ? 1 : 0
  }

  test('is as small as qrcode draws it at level L, or smaller, with the highest level that fits', async () => {
    const seen = new Set<string | undefined>()
    for (let length = 1; length <= 400; length++) {
      const url = 'z'.repeat(length)
      const document = await qrImage(url, { type: 'svg', size: 125 })
      const side = sideAt(url, 'L')
      expect(sideOf(document)).toBe(side)
      const level = (['H', 'Q', 'M', 'L'] as const).find(level => sideAt(url, level) === side)
      expect(levelOf(document)).toBe(level)
      seen.add(level)
    }
    expect(seen).toEqual(new Set(['L', 'M', 'Q', 'H']))
  })

  test.each([
    ['byte', 'z', 2953],
    ['alphanumeric', 'A', 4296],
    ['numeric', '7', 7089],
  ] as const)('is module by module what qrcode draws of it (%s)', async (mode, character, most) => {
    for (let length = 1; length <= most; length += Math.ceil(length / 16)) {
      const data = character.repeat(length)
      const document = await qrImage(data, { type: 'svg', size: 500 })
      const picture = fromSvg(document, 1)
      const ours = Uint8Array.from(picture.grey, grey => Number(grey === 0))
      const side = sideOf(document)
      const theirs = create([{ mode, data } as QRCodeSegment], {
        version: (side - 17) / 4,
        errorCorrectionLevel: levelOf(document) ?? 'L',
        maskPattern: maskOf(document),
      }).modules.data
      for (let y = 0; y < side; y++) {
        const at = (y + 4) * picture.width + 4
        expect(ours.subarray(at, at + side)).toEqual(theirs.slice(y * side, (y + 1) * side))
      }
    }
  })

  test('is never larger than from the runs qrcode would choose, and smaller than in bytes for long numbers', async () => {
    for (let length = 50; length <= 1000; length += 37) {
      const url = urlOf(length)
      const ours = sideOf(await qrImage(url, { type: 'svg', size: 125 }))
      expect(ours).toBeLessThanOrEqual(create(url, { errorCorrectionLevel: 'L' }).modules.size)
    }
    const numbers = start + '1234567890'.repeat(20)
    expect(sideOf(await qrImage(numbers, { type: 'svg', size: 125 }))).toBeLessThan(sideAt(numbers, 'L'))
  })

  test('is version 24 where it would be version 23, which jsQR cannot read', async () => {
    const sides = [1003, 1004, 1091, 1092].map(async length =>
      sideOf(await qrImage('z'.repeat(length), { type: 'svg', size: 125 })),
    )
    expect(await Promise.all(sides)).toEqual([105, 113, 113, 113])
  })

  test('exists up to 2,953 bytes, or 7,089 digits, and not beyond', async () => {
    const longest = async (url: string) => sideOf(await qrImage(url, { type: 'svg', size: 500 }))
    expect(await longest('z'.repeat(2953))).toBe(177)
    expect(await longest('7'.repeat(7089))).toBe(177)
    expect(await longest('A'.repeat(4296))).toBe(177)
    for (const url of ['z'.repeat(2954), '7'.repeat(7090), 'A'.repeat(4297), 'z'.repeat(1_000_000)]) {
      await expect(longest(url)).rejects.toThrow('url is too long for a QR code')
    }
  })

  test.each([230, 231, 1367, 1368])('fits at the border of a class of versions: %i bytes', async length => {
    const url = 'z'.repeat(length)
    expect(sideOf(await qrImage(url, { type: 'svg', size: 500 }))).toBe(sideAt(url, 'L'))
  })
})

describe('bad input', () => {
  test.each([
    ['url', '', {}],
    ['url', 'https://zoë.example', {}],
    ['url', 'https://x.example/a b', {}],
    ['url', 'https://x.example/\n', {}],
    ['url', undefined, {}],
    ['type', 'https://x.example', { type: 'gif' }],
    ['type', 'https://x.example', { type: undefined }],
    ['size', 'https://x.example', { size: 49 }],
    ['size', 'https://x.example', { size: 501 }],
    ['size', 'https://x.example', { size: 125.5 }],
    ['size', 'https://x.example', { size: Number.NaN }],
    ['size', 'https://x.example', { size: '125' }],
    ['size', 'https://x.example', { size: undefined }],
  ])('names %s: %j %j', async (parameter, url, options) => {
    const drawn = qrImage(
      url as string,
      { type: 'png', size: 125, ...options } as { type: 'png'; size: number },
    )
    await expect(drawn).rejects.toThrow(expect.objectContaining({ code: 'invalid_input', parameter }))
    await expect(drawn).rejects.toBeInstanceOf(QrError)
  })
})
