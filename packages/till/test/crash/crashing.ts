import { type ChildProcess, fork } from 'node:child_process'
import { createTill, type StartPayment } from '@tillkit/till'
import { openStorage, type Place } from '../webhooks/processes/place.ts'
import { processorOf } from './ledger.ts'
import { type Processor, takePayment } from './taking-payments.ts'

/** Where in a payment the process dies. */
export type Point = 'started' | 'charged' | 'recorded'

/** What a process is told. */
export interface Orders {
  place: Place
  ledger: string
  attempt: StartPayment
  dieAt: Point
}

/** Takes a payment in a process of its own, which does not live to its end. */
export function takingProcess(orders: Orders): ChildProcess {
  return fork(import.meta.filename, [JSON.stringify(orders)], {
    execArgv: ['--conditions=@tillkit/source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

async function take({ place, ledger, attempt, dieAt }: Orders): Promise<void> {
  const dieIf = (point: Point) => {
    if (point === dieAt) process.kill(process.pid, 'SIGKILL')
  }
  const processor = processorOf(ledger)
  const dying: Processor = {
    ...processor,
    async charge(name, amount) {
      dieIf('started')
      const charge = await processor.charge(name, amount)
      dieIf('charged')
      return charge
    },
  }
  const storage = openStorage(place)
  const till = createTill({ storage, logger: false })
  await takePayment(till, dying, attempt)
  dieIf('recorded')
}

if (process.argv[1] === import.meta.filename) await take(JSON.parse(process.argv[2] ?? '') as Orders)
