import { createContext, runInContext } from 'node:vm'
import { parsePaymentUrl, paymentUrl } from '@tillkit/qr'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

test('a bundle for browsers builds, signs, verifies and draws an SVG with nothing of Node', async () => {
  const { outputFiles } = await build({
    stdin: { contents: "export * from '@tillkit/qr'", resolveDir: import.meta.dirname },
    ...{ bundle: true, write: false, format: 'iife', globalName: 'qr', platform: 'browser' },
    ...{ conditions: ['@tillkit/source'], logLevel: 'silent', external: ['node:zlib'] },
    // As in the published file, in which all modules are one.
    ignoreAnnotations: true,
  })
  const browser = createContext({ URL, URLSearchParams, TextEncoder, btoa })
  const run = (expression: string) => runInContext(expression, browser)
  run(outputFiles[0]?.text ?? '')

  const key = 'x'.repeat(32)
  const order = { qrBaseUrl: 'https://pay.example.com', scanCode: 'T7', extra: { waiter: 'Zoë 💶' } }
  const url = paymentUrl(order, { key })
  const [options, keys] = [JSON.stringify(order), JSON.stringify([key])]
  expect(run(`qr.paymentUrl(${options}, { key: '${key}' })`)).toBe(url)
  const read = `qr.verifyPaymentUrl('${url}', { qrBaseUrl: '${order.qrBaseUrl}', keys: ${keys} })`
  expect(JSON.parse(run(`JSON.stringify(${read})`))).toEqual(parsePaymentUrl(url))
  expect(await run(`qr.qrImage('${url}', { type: 'svg', size: 200 })`)).toContain('<svg')
})
