import type { DeliveryResult, DeliveryStore } from '@tillkit/storage'
import { recordByMerchant } from '../../citus/deliveries/record-deliveries.ts'
import type { Database } from '../../session/database.ts'
import { recordInOneStatement } from './record-in-one-statement.ts'
import { recordInSteps } from './record-in-steps.ts'
import { recordTogether } from './record-together.ts'

/** A result is written whatever its endpoint answered: of text that the database cannot keep, what every encoding has is kept. */
export function recordDelivery(database: Database): DeliveryStore['record'] {
  const record = recordWhole(database)
  const { lacksCharacter } = database.dialect
  if (!lacksCharacter) return record
  return result =>
    record(result).catch(error => {
      if (!lacksCharacter(error)) throw error
      return record(inAscii(result))
    })
}

function recordWhole(database: Database): DeliveryStore['record'] {
  if (database.dialect.distributed) return recordByMerchant(database)
  if (database.dialect.composes) return recordInOneStatement(database)
  return database.groups ? recordTogether(database) : recordInSteps(database)
}

function inAscii(result: DeliveryResult): DeliveryResult {
  const { error, answer } = result.attempt
  return { ...result, attempt: { ...result.attempt, error: asciiOf(error), answer: asciiOf(answer) } }
}

const asciiOf = (text: string | null) => (text === null ? null : text.replace(/[^\0-\x7f]/gu, '?'))
