import type { Demo } from './build-demo.ts'
import { SHOPS } from './shops.ts'

/** What a newcomer needs: addresses, keys and lines to paste. */
export async function banner({ till, baseUrl, scanUrl, credentials }: Demo): Promise<string> {
  const keys = SHOPS.map(({ id, name }) => `  ${name.padEnd(14)} ${credentials.get(id)?.apiKey}`)
  return [
    'Tillkit demo: a merchant payments API on your machine. Ctrl-C stops it; start it again and it goes on.',
    '',
    `Base URL         ${baseUrl}`,
    'API keys',
    ...keys,
    `QR-code URL      ${scanUrl}`,
    `QR-code image    ${scanUrl.replace('?', '.svg?')}&scan_code_size=300`,
    '',
    'Paste into another terminal:',
    ...(await curlLines({ till, baseUrl, scanUrl, credentials })).map(line => `  ${line}`),
    '',
  ].join('\n')
}

/** Five requests that work as they stand. */
export async function curlLines({ till, baseUrl, credentials }: Omit<Demo, 'close'>): Promise<string[]> {
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
