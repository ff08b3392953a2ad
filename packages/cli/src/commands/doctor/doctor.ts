import type { CommandSpec } from '../../program/command-spec.ts'
import { EXIT } from '../../program/exit-status.ts'
import { onTill } from '../../store/on-till.ts'
import { number } from '../page.ts'
import { reportOf } from './report.ts'

/** Looks at everything that goes wrong slowly. */
export const doctor: CommandSpec = onTill<[], { longTransactionSeconds?: string; strict?: boolean }>({
  name: 'doctor',
  about: 'Looks at the database and at what is kept in it, and says what wants somebody, and what to do.',
  options: [
    [
      '--long-transaction-seconds <number>',
      'from how many seconds on a transaction is a long one (default: 60)',
    ],
    ['--strict', 'ends with 1 for a warning too'],
  ],
  examples: [
    ['tillkit doctor --database till.db', 'what is wrong first'],
    ['tillkit doctor --json --strict', 'once a day, in CI or by cron'],
  ],
  notes: `
It changes nothing, and reads all merchants’ rows and all that is pending. Webhook keys are opened by TILLKIT_SECRETS where
that is given. It ends with 0 where nothing is a problem, with 1 where something is, and with 3 where the database does not answer.`,
  async run({ till, print }, _, { strict = false, ...flags }) {
    const longTransactionSeconds = number('--long-transaction-seconds', flags.longTransactionSeconds)
    const inspection = await till.inspect({ longTransactionSeconds })
    await print.text(inspection, reportOf(inspection))
    const { level, findings } = inspection
    if (findings.some(({ level, check }) => level === 'problem' && check === 'database')) return EXIT.database
    return level === 'problem' || (strict && level === 'warning') ? EXIT.refused : EXIT.done
  },
})
