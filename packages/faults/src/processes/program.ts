import { appendFileSync } from 'node:fs'
import { inspect } from 'node:util'
import type { Logger } from '@tillkit/till'
import { type Journal, openJournal } from '../journal/journal.ts'
import { MARK } from '../journal/mark.ts'

/** What every program is told. */
export interface Orders {
  /** The file that it writes down in what was acknowledged. */
  journal: string
  /** Of what it does by chance. */
  seed: number
}

/** A program in a process of its own. */
export interface Program<Told extends Orders> {
  orders: Told
  journal: Journal
  /** Where its till and checkout log. Beside the journal, in a file of the same name that ends in `.log`. */
  logger: Logger
  /** Aborts when the campaign asks the program to end. */
  stopping: AbortSignal
  /** Tells the campaign that all is set up, and where the program listens, if it does. */
  ready(port?: number): void
  /** Ends the process, once it has closed all it had open. */
  end(): void
}

/** The program's side of `crew.ts`. One whose campaign is gone ends at once, so that none is left behind. */
export function program<Told extends Orders>(): Program<Told> {
  const orders = JSON.parse(process.argv[2] ?? '{}') as Told
  const journal = openJournal(orders.journal)
  const stopping = new AbortController()
  const onDisconnect = () => process.exit(3)
  process.on('disconnect', onDisconnect)
  // A Ctrl-C in the terminal is for the campaign, which then ends its programs.
  process.on('SIGINT', () => {})
  process.on('message', told => {
    if (told === 'stop') stopping.abort()
  })

  const log = (level: keyof Logger) => (fields: object, message: string) => {
    const line = `${level}: ${message} ${inspect(fields, { depth: 10, breakLength: Infinity })}`
    appendFileSync(`${orders.journal}.log`, `${new Date().toISOString()} ${line}\n`)
    if (line.includes(MARK)) journal.write({ what: 'leaked', line: line.slice(0, 2000) })
  }
  return {
    orders,
    journal,
    logger: { debug: () => {}, info: log('info'), warn: log('warn'), error: log('error') },
    stopping: stopping.signal,
    ready: port => void process.send?.({ port }),
    end() {
      process.off('disconnect', onDisconnect)
      journal.close()
      process.disconnect()
    },
  }
}
