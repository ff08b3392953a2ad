import { paymentUrl, qrImage } from '@tillkit/qr'
import { toBuffer } from 'qrcode'

const urls = Array.from({ length: 500 }, (_, order) =>
  paymentUrl({
    qrBaseUrl: 'https://pay.example.com',
    scanCode: '3kT9xLq0aBcD',
    merchantReference: `order-${1000 + order}`,
    requiredAmount: 12900,
    strict: true,
  }),
)

async function perSecond(draw: (url: string) => Promise<unknown>, count: number): Promise<number> {
  const started = performance.now()
  for (const url of urls.slice(0, count)) await draw(url)
  return (count * 1000) / (performance.now() - started)
}

const median = (figures: number[]): number => figures.toSorted((a, b) => a - b)[figures.length >> 1] as number

for (const size of [50, 125, 500]) {
  const ours: number[] = []
  const svgs: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < 5; round++) {
    ours.push(await perSecond(url => qrImage(url, { type: 'png', size }), 500))
    svgs.push(await perSecond(url => qrImage(url, { type: 'svg', size }), 500))
    theirs.push(await perSecond(url => toBuffer(url, { width: size, errorCorrectionLevel: 'L' }), 60))
  }
  const [png, svg, base] = [median(ours), median(svgs), median(theirs)]
  console.log(
    `${size} px: PNG ${png.toFixed(0)} a second, SVG ${svg.toFixed(0)}, qrcode's toBuffer ${base.toFixed(0)}; ` +
      `PNG to toBuffer ${(png / base).toFixed(1)}`,
  )
}
