import { type Html, html, trusted } from '@tillkit/http'
import { encodedUrl, qrImage } from '@tillkit/qr'
import type { ScanCode } from '@tillkit/till'
import { merchantPath } from '../../routing/addresses.ts'
import { merchantPage } from '../../routing/page.ts'
import type { MerchantVisit } from '../../routing/visit.ts'
import { PAPERS, sheetLayout } from './sheet-layout.ts'

/** How many codes one sheet has at most: more are printed in several goes. */
const MOST_CODES = 300

/** Codes to print: pages of paper with one to thirty codes each, which the browser prints or keeps as PDF. */
export const sheet = merchantPage({
  ofMerchant: '/sheet',
  needs: 'read',
  async show(visit) {
    const { query, settings, merchant, to } = visit
    const { qrBaseUrl } = settings
    if (qrBaseUrl === undefined) return null
    const wanted = await wantedCodes(visit)
    const per = Math.min(Math.max(Math.trunc(Number(query.get('per'))) || 6, 1), 30)
    const paper = PAPERS.find(([name]) => name === query.get('paper'))?.[0] ?? 'a4'
    const codes = wanted.slice(0, MOST_CODES)
    const labels = await Promise.all(codes.map(code => label(qrBaseUrl, merchant.name, code)))
    const { columns, rows } = sheetLayout(per)
    const pages = Array.from({ length: Math.ceil(labels.length / per) }, (_, n) =>
      labels.slice(n * per, (n + 1) * per),
    )
    const back = html`<p class="no-print"><a href="${to(merchantPath(merchant.id, '/codes'))}">Back to the codes</a></p>`
    const more =
      wanted.length > codes.length &&
      html`<p class="no-print notice wait">These are the first ${MOST_CODES}; tick others to print them.</p>`
    return {
      title: 'Codes to print',
      content: html`<div class="no-print row"><button type="button" data-print hidden>Print</button>
<span class="soft">Print this page, without margins and headers of the browser’s own, or keep it as PDF.</span></div>${back}${more}
${codes.length === 0 && html`<p class="no-print">None was chosen.</p>`}
${pages.map(these => html`<div class="paper ${paper}"><div class="labels columns-${columns} rows-${rows}">${these}</div></div>`)}`,
    }
  },
})

async function wantedCodes({ till, merchant, query }: MerchantVisit): Promise<ScanCode[]> {
  const all = await till.scanCodes.list(merchant.id)
  if (query.get('all') !== null) return all
  const chosen = new Set(query.getAll('code'))
  return all.filter(({ code }) => chosen.has(code))
}

async function label(qrBaseUrl: string, merchant: string, { code, reference }: ScanCode): Promise<Html> {
  const image = await qrImage(encodedUrl({ qrBaseUrl, scanCode: code, query: '' }), {
    type: 'svg',
    size: 500,
  })
  // The image is made of numbers and of the address, which the package that draws it has escaped.
  return html`<figure>${trusted(image)}<figcaption><b>${reference || merchant}</b><span>${reference ? merchant : ''}</span><code>${code}</code></figcaption></figure>`
}
