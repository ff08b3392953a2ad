import type { Campaign } from './campaigns/campaign.ts'
import { CAMPAIGNS } from './campaigns/index.ts'
import { ENGINES, type EngineName } from './engines/address.ts'

/** A command line that cannot be run as it is; the message names what is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export interface Command {
  engine: EngineName
  campaign: Campaign
  rounds: number
  seed: number
}

export const USAGE = [
  'usage: npm run faults -- ENGINE CAMPAIGN [ROUNDS] [SEED]',
  '',
  `ENGINE    ${ENGINES.join(', ')} (or mariadb, which is the same as mysql)`,
  'CAMPAIGN',
  ...CAMPAIGNS.map(({ name, about, rounds }) => `  ${name.padEnd(12)} ${about} (${rounds} rounds)`),
  'ROUNDS    how many, 1 or more',
  'SEED      of the first round, a whole number; the next rounds have the next ones. By chance when left out',
].join('\n')

/** Reads the words of a command line; null where there are none. Throws `UsageError`. */
export function parseCommand(words: readonly string[]): Command | null {
  if (words.length === 0) return null
  const [engineWord = '', campaignWord, roundsWord, seedWord, more] = words
  const engine = ENGINES.find(name => name === (engineWord === 'mariadb' ? 'mysql' : engineWord))
  if (!engine) throw new UsageError(`ENGINE must be one of ${ENGINES.join(', ')}, not ${engineWord}`)
  const names = CAMPAIGNS.map(({ name }) => name).join(', ')
  if (campaignWord === undefined) throw new UsageError(`CAMPAIGN is missing: one of ${names}`)
  const campaign = CAMPAIGNS.find(({ name }) => name === campaignWord)
  if (!campaign) throw new UsageError(`CAMPAIGN must be one of ${names}, not ${campaignWord}`)
  if (more !== undefined) throw new UsageError(`${more} is one word too many`)
  const chance = Math.floor(Math.random() * 1_000_000)
  return {
    engine,
    campaign,
    rounds: wholeNumber('ROUNDS', roundsWord, 1, 1_000_000) ?? campaign.rounds,
    seed: wholeNumber('SEED', seedWord, 0, 2 ** 31 - 1) ?? chance,
  }
}

function wholeNumber(what: string, word: string | undefined, least: number, most: number) {
  if (word === undefined) return undefined
  const number = Number(word)
  if (!/^\d+$/.test(word) || number < least || number > most) {
    throw new UsageError(`${what} must be a whole number from ${least} to ${most}, not ${word}`)
  }
  return number
}
