import { html } from '@tillkit/checkout'
import { qrImage } from '@tillkit/qr'
import type { ScanCode } from '@tillkit/till'

/** A code on the sheet, and whose it is. */
export interface Label {
  code: ScanCode
  url: string
  /** The merchant's name. */
  merchant: string
}

const STYLE = `
@page { margin: 10mm }
body { margin: 0; font: 12pt system-ui, sans-serif; display: grid; grid-template-columns: repeat(2, 1fr) }
figure { margin: 0; padding: 8mm; text-align: center; break-inside: avoid; outline: 0.2mm dashed #999 }
img { width: 60mm; height: 60mm }
figcaption { overflow-wrap: anywhere }
strong { display: block; font-size: 16pt }
small { color: #555 }
`

/** A page of HTML to be printed and cut: each code with the merchant's name and the code's. It loads nothing from anywhere. */
export async function sheet(labels: readonly Label[]): Promise<string> {
  const figures = await Promise.all(
    labels.map(async ({ code, url, merchant }) => {
      const image = Buffer.from(await qrImage(url, { type: 'svg', size: 500 })).toString('base64')
      return html`<figure><img src="data:image/svg+xml;base64,${image}" alt="${url}">
<figcaption><strong>${merchant}</strong>${code.reference ?? code.code}<br><small>${url}</small></figcaption></figure>
`
    }),
  )
  const title = `QR codes of ${[...new Set(labels.map(({ merchant }) => merchant))].join(', ')}`
  const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${title}</title>
`
  return `${page.text}<style>${STYLE}</style>\n${figures.map(({ text }) => text).join('')}</html>\n`
}
