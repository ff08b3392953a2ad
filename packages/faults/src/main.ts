import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseCommand, USAGE, UsageError } from './command.ts'
import { figures, run } from './run.ts'
import { Unavailable } from './servers/database.ts'

/** Where the journals of rounds with violations go: an environment variable names another folder. */
const KEEP = process.env.TILLKIT_FAULTS_JOURNALS ?? join(tmpdir(), 'tillkit-faults')

/** Runs a command line; returns the exit status. */
async function main(words: readonly string[]): Promise<number> {
  const command = parseCommand(words)
  if (command === null) {
    console.log(USAGE)
    return 2
  }
  const { engine, campaign, rounds, seed } = command
  const name = `${engine} ${campaign.name}`
  const reason = campaign.notFor?.[engine]
  if (reason !== undefined) {
    console.log(`${name}: not run. ${reason}`)
    return 0
  }

  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      console.log(`${signal}: putting everything away`)
      interrupted.abort(new Error(signal))
    })
  }
  console.log(`${name}: ${campaign.about}; ${rounds} rounds from seed ${seed}`)
  const keep = join(KEEP, `${engine}-${campaign.name}`)
  const { signal } = interrupted
  const result = await run({ ...command, form: 'long', signal, keep, print: console.log })

  console.log(`${name}: ${result.rounds} rounds from seed ${seed}: ${figures(result, campaign)}`)
  if (result.violations.length > 0) console.log(`the journals are in ${keep}`)
  if (interrupted.signal.aborted) return 130
  if (result.violations.length > 0) return 1
  if (result.strikes > 0 && result.acknowledged > 0) return 0
  console.log(`nothing was ${result.strikes === 0 ? campaign.strikes : 'acknowledged'}: nothing is shown`)
  return 1
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (error instanceof UsageError) console.error(`${error.message}\n\n${USAGE}`)
  else if (error instanceof Unavailable) console.error(`cannot be had here: ${error.message}`)
  else console.error(error)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
