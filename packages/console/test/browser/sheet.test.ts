import { PDFiumLibrary } from '@hyzyla/pdfium'
import { inBrowser } from '@tillkit/servers/browser'
import jsQR from 'jsqr'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { visitDesk } from './browser.ts'

/** What a camera sees of a printed page, at 300 dots an inch. */
const SCALE = 300 / 72

inBrowser('a sheet of codes, printed', () => {
  let pdfium: Awaited<ReturnType<typeof PDFiumLibrary.init>>
  beforeAll(async () => {
    pdfium = await PDFiumLibrary.init()
  })
  afterAll(() => pdfium?.destroy())

  for (const [paper, width, height] of [
    ['a4', 595, 842],
    ['letter', 612, 792],
  ] as const) {
    test(`on ${paper}: every page has its size, and every code scans`, async () => {
      const { page, open, till, origin } = await visitDesk()
      for (let n = 4; n <= 40; n++)
        await till.scanCodes.create('cafe', { code: `table-${n}`, reference: `Table ${n}` })
      for (const per of [1, 7, 30]) {
        const codes =
          per === 1 ? ['table-1', 'table-2'] : Array.from({ length: 40 }, (_, n) => `table-${n + 1}`)
        const query = codes.map(code => `code=${code}`).join('&')
        await open(`/m-cafe/sheet?per=${per}&paper=${paper}&${query}`)
        const layout = (await page.locator('.labels').first().getAttribute('class')) ?? ''
        const [, columns, rows] = /columns-(\d) rows-(\d)/.exec(layout) ?? []
        const document = await pdfium.loadDocument(await page.pdf({ preferCSSPageSize: true }))
        const sizes: number[][] = []
        const read: string[] = []
        for (const printed of document.pages()) {
          const size = printed.getOriginalSize()
          sizes.push([Math.round(size.originalWidth), Math.round(size.originalHeight)])
          const picture = await printed.render({ scale: SCALE, render: 'bitmap' })
          read.push(...codesIn(picture.data, picture.width, picture.height, [Number(columns), Number(rows)]))
        }
        document.destroy()
        expect([paper, per, sizes]).toEqual([
          paper,
          per,
          Array(Math.ceil(codes.length / per)).fill([width, height]),
        ])
        expect([paper, per, read.sort()]).toEqual([
          paper,
          per,
          codes.map(code => `${origin}/qr/${code}`).sort(),
        ])
      }
    })
  }
})

/** The code of each label of a page, as a camera sees it that is held over that label; a label that is not there has none. */
function codesIn(
  data: Uint8Array,
  width: number,
  height: number,
  [columns, rows]: [number, number],
): string[] {
  const margin = (10 / 25.4) * 300
  const [wide, high] = [(width - 2 * margin) / columns, (height - 2 * margin) / rows]
  const found: string[] = []
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const left = Math.floor(margin + column * wide)
      const top = Math.floor(margin + row * high)
      const [w, h] = [Math.floor(wide), Math.floor(high)]
      const label = new Uint8ClampedArray(4 * w * h)
      for (let y = 0; y < h; y++) {
        const start = 4 * ((top + y) * width + left)
        label.set(data.subarray(start, start + 4 * w), 4 * y * w)
      }
      const code = jsQR.default(label, w, h, { inversionAttempts: 'dontInvert' })
      if (code !== null) found.push(code.data)
    }
  }
  return found
}
