import { type ChildProcess, fork } from 'node:child_process'
import { createTill, type Imported, type StatementRow } from '@tillkit/till'
import { openStorage, type Place } from '../../webhooks/processes/place.ts'

/** What a process is told. */
export interface Orders {
  place: Place
  rows: StatementRow[]
  /** Before or after which step of the storage the process dies; it lives where this is left out. */
  dieAt?: { step: number; when: 'before' | 'after' }
}

/** Imports a statement in a process of its own, which sends what came of it. */
export function importingProcess(orders: Orders): ChildProcess {
  const child = fork(import.meta.filename, [], {
    execArgv: ['--conditions=@tillkit/source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.send(orders)
  return child
}

async function importRows({ place, rows, dieAt }: Orders): Promise<Imported> {
  const storage = openStorage(place)
  const { settle } = storage.settlements
  let steps = 0
  const dieIf = (step: number, when: 'before' | 'after') => {
    if (dieAt?.step === step && dieAt.when === when) process.kill(process.pid, 'SIGKILL')
  }
  const dying: typeof settle = async (...given) => {
    steps += 1
    const step = steps
    dieIf(step, 'before')
    const answer = await settle(...given)
    dieIf(step, 'after')
    return answer
  }
  const mortal = { ...storage, settlements: { ...storage.settlements, settle: dying } }
  const till = createTill({ storage: mortal, logger: false })
  const imported = await till.settlements.import({ statementReference: 'S-1', rows })
  await till.close()
  await storage.close()
  return imported
}

if (process.argv[1] === import.meta.filename) {
  process.once('message', async (orders: Orders) => {
    const imported = await importRows(orders)
    process.send?.(imported, () => process.disconnect())
  })
}
