import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createCheckout } from '@tillkit/checkout'
import { toNode } from '@tillkit/node'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'
import { bankProcessor } from '../bank-processor.ts'

/** Where a shop's process dies, of itself. */
export type Point = 'started' | 'charged' | 'asking' | 'told' | 'recorded'

/** What a process is told at its start; later only where to die. */
interface Orders {
  file: string
  port: number
  bank: string
}

/** A shop in a process of its own, once it listens. */
export async function shopProcess(orders: Orders): Promise<ChildProcess> {
  const child = fork(import.meta.filename, [JSON.stringify(orders)], {
    execArgv: ['--conditions=@tillkit/source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return child
}

async function serve({ file, port, bank }: Orders): Promise<void> {
  process.on('disconnect', () => process.exit())
  let dieAt: Point | undefined
  process.on('message', (point: Point) => {
    dieAt = point
    process.send?.('understood', () => {})
  })
  const dieIf = (point: Point) => {
    if (point === dieAt) process.kill(process.pid, 'SIGKILL')
  }
  const storage = sqliteStorage({ file })
  const till = createTill({ storage, logger: false })
  const { complete } = till.payments
  till.payments.complete = async key => {
    const payment = await complete(key)
    dieIf('recorded')
    return payment
  }
  const { charge, lookup } = bankProcessor(bank)
  const checkout = createCheckout(till, {
    qrBaseUrl: `http://127.0.0.1:${port}`,
    currency: 'EUR',
    locale: 'en-IE',
    https: 'off',
    // However busy the machine is: a page is what the bank said, not that it is waited for.
    ...{ waitSeconds: 200, timeoutSeconds: 300 },
    processor: {
      async charge(payment, context) {
        dieIf('started')
        const answer = await charge(payment, context)
        dieIf('charged')
        return answer
      },
      async lookup(payment, context) {
        dieIf('asking')
        const answer = await lookup(payment, context)
        if (answer.status === 'completed') dieIf('told')
        return answer
      },
    },
  })
  const server = createServer(toNode({ '/qr': checkout.handler })).listen(port, '127.0.0.1')
  await once(server, 'listening')
  process.send?.('ready', () => {})
}

if (process.argv[1] === import.meta.filename) await serve(JSON.parse(process.argv[2] ?? '') as Orders)
