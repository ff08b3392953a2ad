import { inOneLine } from '../output/shown.ts'
import { hearing } from '../output/write.ts'
import { failureOf } from './failure.ts'
import { createProgram } from './program.ts'
import type { Surroundings } from './surroundings.ts'

/**
 * Runs `tillkit` with the words of a command line, without the program's own name, and returns its exit status: 0 done, 1
 * refused or not found, 2 the command line or a setting is wrong, 3 the database, 70 a fault of tillkit itself. What goes
 * wrong is a sentence on stderr; it does not throw.
 */
export async function run(words: readonly string[], around: Surroundings): Promise<number> {
  const { stdout, stderr, env } = around
  // A library's command takes the place of our own, which is there for the help.
  const completes = words[0] === 'complete' && words.length > 1 && !/^(-h|--help)$/.test(words[1] ?? '')
  const program = createProgram(around, completes ? ['complete'] : [])
  return hearing([stdout, stderr], async () => {
    try {
      if (completes) {
        const { default: completion } = await import('@bomb.sh/tab/commander')
        completion(program.command)
      }
      await program.command.parseAsync(words, { from: 'user' })
      return program.status()
    } catch (error) {
      const { status, lines } = await failureOf(error, program.ran(), Boolean(env.TILLKIT_DEBUG))
      for (const line of lines) stderr.write(`tillkit: ${inOneLine(line)}\n`)
      return status
    }
  })
}
