import type { Payment } from '@tillkit/till'
import { banner } from './banner.ts'
import { buildDemo } from './build-demo.ts'
import { parseFlags, USAGE, UsageError } from './flags.ts'
import { SHOPS } from './shops.ts'
import { startTelemetry } from './telemetry.ts'

const SIGNALS = ['SIGINT', 'SIGTERM']

const nameOf = (merchantId: string) => SHOPS.find(({ id }) => id === merchantId)?.name ?? merchantId
const money = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' })

function paymentLine({ merchantId, id, status, totalAmount, failure }: Payment): string {
  const why = failure ? ` (${failure})` : ''
  return `payment ${id} of ${nameOf(merchantId)}: ${money.format(totalAmount / 100)} ${status}${why}`
}

async function run(): Promise<void> {
  const { port, data, reset, quiet } = parseFlags(process.argv.slice(2))
  const print = (line: string) => {
    if (!quiet) console.log(line)
  }
  const { promise: interrupted, resolve: stop } = Promise.withResolvers<void>()
  for (const signal of SIGNALS) process.on(signal, stop)
  const demo = await buildDemo({
    port,
    data,
    reset,
    onPayment: payment => print(paymentLine(payment)),
    onWebhook: (merchantId, { id, status }) =>
      print(`webhook of payment ${id} of ${nameOf(merchantId)}: ${status}, signature verified`),
  })
  const telemetry = await startTelemetry(demo.till)
  console.log(await banner(demo))
  if (telemetry) console.log(`Traces and metrics go to ${telemetry.to}\n`)

  await interrupted
  for (const signal of SIGNALS) process.off(signal, stop) // a second one ends the process at once
  await demo.close()
  await telemetry?.stop()
  console.log('Stopped. Nothing in flight was lost.')
}

try {
  await run()
} catch (error) {
  const { code, message } = error as Error & { code?: string; port?: number }
  if (error instanceof UsageError) console.error(`${message}\n${USAGE}`)
  else if (code === 'EADDRINUSE') console.error(`the port is taken: choose another with --port (${message})`)
  else if (code === 'EACCES')
    console.error(`the port needs rights that you do not have: choose another with --port`)
  else console.error(message)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
