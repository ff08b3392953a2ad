import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Campaign, Ground } from './campaigns/campaign.ts'
import { openGround, undoList } from './campaigns/ground.ts'
import { rest } from './campaigns/rest.ts'
import { openScene } from './campaigns/scene.ts'
import { readBooks } from './checker/books.ts'
import { check, sizeOf } from './checker/check.ts'
import type { EngineName } from './engines/address.ts'
import { DONE } from './journal/entry.ts'
import { randomFrom } from './random.ts'
import { StandsStill } from './until.ts'

/** What to run. */
export interface Run {
  engine: EngineName
  campaign: Campaign
  rounds: number
  /** Of the first round; the next ones have the next ones. */
  seed: number
  form: 'short' | 'long'
  /** Takes a server that is there, where the campaign does no harm to one, in place of one of its own. */
  given?: boolean
  /** Ends the run early, after having put everything away. */
  signal: AbortSignal
  /** Where journals of rounds with violations are kept; nowhere when left out. */
  keep?: string | undefined
  print?: (line: string) => void
}

/** What came of it. */
export interface Result {
  rounds: number
  /** Answers that processes wrote down. */
  acknowledged: number
  /** What was done to them. */
  strikes: number
  /** Rows and entries that were counted again. */
  checked: number
  violations: string[]
}

/** Runs a campaign. Throws `Unavailable` where what it needs cannot be had. */
export async function run(order: Run): Promise<Result> {
  const { engine, campaign, rounds, seed, given = false, signal, print = () => {} } = order
  const result: Result = { rounds: 0, acknowledged: 0, strikes: 0, checked: 0, violations: [] }
  const undo = undoList()
  try {
    const ground = await openGround(engine, campaign.need, { given, undo })
    for (let n = 1; n <= rounds && !signal.aborted; n++) {
      const began = Date.now()
      const round = await runRound(order, ground, seed + n - 1)
      if (signal.aborted) break
      result.rounds = n
      result.acknowledged += round.acknowledged
      result.strikes += round.strikes
      result.checked += round.checked
      result.violations.push(...round.violations)
      print(
        `round ${n}/${rounds}, seed ${seed + n - 1}: ${figures(round, campaign)} (${seconds(Date.now() - began)})`,
      )
      for (const violation of round.violations) print(`  ${violation}`)
    }
    return result
  } finally {
    await undo.all()
  }
}

/** `412 acknowledged, 6 killed, 1,930 checked, 0 violations`. */
export function figures(result: Omit<Result, 'rounds'>, { strikes }: Campaign): string {
  const count = (number: number) => number.toLocaleString('en')
  return `${count(result.acknowledged)} acknowledged, ${count(result.strikes)} ${strikes}, ${count(result.checked)} checked, ${count(result.violations.length)} violations`
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

async function runRound(
  { campaign, form, signal, keep }: Run,
  ground: Ground,
  seed: number,
): Promise<Omit<Result, 'rounds'>> {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-journals-'))
  const database = await ground.createDatabase()
  const violations: string[] = []
  let [strikes, acknowledged, checked] = [0, 0, 0]
  try {
    const scene = await openScene(database.address, {
      ...{ folder, seed, signal },
      ...campaign.scene?.(form),
    })
    let atRest = false
    try {
      const strike = (count = 1) => {
        strikes += count
      }
      await campaign.trouble({ ground, random: randomFrom(seed), form, signal, scene, strike })
      await rest(scene, signal)
      atRest = true
    } catch (error) {
      if (signal.aborted) throw error
      if (!(error instanceof StandsStill)) throw error
      violations.push(`standstill: ${error.message}`)
    } finally {
      await scene.close()
    }
    if (ground.server && !ground.server.running()) await ground.server.start()
    const { casualties } = scene.crew
    const journal = scene.entries()
    const books = await readBooks(database.address, { journal, casualties, atRest })
    acknowledged = journal.filter(({ what }) => DONE.has(what)).length
    checked = sizeOf(books)
    violations.push(...check(books))
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    if (violations.length > 0 && keep !== undefined) await keepJournals(folder, keep, seed, violations)
    await rm(folder, { recursive: true, force: true })
    await database.drop().catch(() => {})
  }
  return { strikes, acknowledged, checked, violations }
}

async function keepJournals(folder: string, keep: string, seed: number, violations: string[]): Promise<void> {
  await appendFile(join(folder, 'violations.txt'), `${violations.join('\n')}\n`)
  await cp(folder, join(keep, `seed-${seed}`), { recursive: true })
}
