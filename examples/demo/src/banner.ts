import type { Demo } from './build-demo.ts'
import { OPERATOR } from './operator.ts'
import { CONFIRM_FROM, ODD_TOTALS } from './processor.ts'
import { SHOPS } from './shops.ts'

/** What a newcomer needs: addresses, keys and lines to paste. */
export async function banner(demo: Demo): Promise<string> {
  const { baseUrl, docsUrl, console, scanUrl, tableUrl, credentials } = demo
  const keys = SHOPS.map(({ id, name }) => `  ${name.padEnd(14)} ${credentials.get(id)?.apiKey}`)
  return [
    'Tillkit demo: a merchant payments API on your machine. Ctrl-C stops it; start it again and it goes on.',
    '',
    `Base URL         ${baseUrl}`,
    `To read and try  ${docsUrl} (its document: ${docsUrl}/openapi.json)`,
    `Console          ${console.url} (name ${OPERATOR}, password ${console.password})`,
    'API keys',
    ...keys,
    `QR-code image    ${scanUrl.replace('?', '.svg?')}&scan_code_size=300`,
    '',
    'Pay as a customer: open a QR-code URL in a browser',
    `QR-code URL      ${scanUrl}`,
    `of any amount    ${tableUrl}`,
    'The card processor is simulated. It goes by the cents of the total:',
    ...ODD_TOTALS.map(([cents, outcome]) => `  a total of ….${cents} ${outcome}`),
    `A total of ${CONFIRM_FROM / 100}.00 or more is confirmed at the bank: approve, decline or walk away there`,
    '',
    'Paste into another terminal:',
    ...(await curlLines(demo)).map(line => `  ${line}`),
    '',
    `A test key of ${SHOPS[0]?.name}, for a ledger apart in which payments are made by request:`,
    `  ${sandboxLine(demo)}`,
    '',
  ].join('\n')
}

/** A request that makes a payment in the test ledger. */
export function sandboxLine({ baseUrl, testKey }: Pick<Demo, 'baseUrl' | 'testKey'>): string {
  return `curl -u ${testKey}: ${baseUrl}/sandbox/payments -d '{"totalAmount":1250}'`
}

/** Five requests that work as they stand. */
export async function curlLines({
  till,
  baseUrl,
  credentials,
}: Pick<Demo, 'till' | 'baseUrl' | 'credentials'>): Promise<string[]> {
  const [shop] = SHOPS
  const id = shop?.id ?? ''
  const cashUps = await till.cashUps.list(id)
  const curl = `curl -u ${credentials.get(id)?.apiKey}:`
  return [
    `${curl} '${baseUrl}/payments?perPage=5'`,
    `${curl} '${baseUrl}/payments?status=pending,error&scanCode=coffee-counter'`,
    `${curl} ${baseUrl}/payments/1`,
    `${curl} -X POST ${baseUrl}/cash_ups`,
    `${curl} ${baseUrl}/payments/cash_ups/${cashUps.items.at(-1)?.reference}`,
  ]
}
