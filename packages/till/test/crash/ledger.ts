import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Processor } from './taking-payments.ts'

/** The charges that a processor has made, in the order in which it made them. */
export function chargesIn(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
}

/** A processor whose books are a file: they outlive whoever asked for a charge. It charges as often as it is told to. */
export function processorOf(file: string): Processor {
  const answer = (amount: string | undefined) =>
    Number(amount) === 666
      ? ({ state: 'declined', reason: 'no funds' } as const)
      : ({ state: 'approved' } as const)
  return {
    async charge(name, amount) {
      appendFileSync(file, `${name} ${amount}\n`)
      return answer(String(amount))
    },
    async find(name) {
      const found = chargesIn(file).find(line => line.startsWith(`${name} `))
      return found === undefined ? null : answer(found.split(' ')[1])
    },
  }
}
