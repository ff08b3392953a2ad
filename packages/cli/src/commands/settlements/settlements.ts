import type { CommandGroup } from '../../program/command-spec.ts'
import { importStatement } from './import.ts'
import { list } from './list.ts'
import { show } from './show.ts'

export const settlements: CommandGroup = {
  name: 'settlements',
  about: 'What acquirers paid out, by the statements that they send.',
  commands: [importStatement, list, show],
}
