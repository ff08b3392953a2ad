import type { MigrationStep } from '@tillkit/storage-kysely'
import { migrationProgress, nameOf } from '../output/migration-progress.ts'
import type { CommandSpec } from '../program/command-spec.ts'
import { EXIT } from '../program/exit-status.ts'
import { STORE_SETTINGS } from '../settings/settings.ts'
import { openStorage } from '../store/open-storage.ts'

interface MigrateFlags {
  check?: boolean
  keepOld?: boolean
}

/** Brings the tables up to date. */
export const migrate: CommandSpec = {
  name: 'migrate',
  about: 'Creates the tables, or brings them up to date while others read and write.',
  options: [
    ['--check', 'changes nothing: says what is left to be done, and the exit status is 1 where something is'],
    [
      '--keep-old',
      'leaves what processes of the version before need, or get wrong: run it again without when they are gone',
    ],
  ],
  settings: STORE_SETTINGS,
  examples: [
    ['tillkit migrate --database till.db', 'makes the file where it is not there'],
    ['tillkit migrate --keep-old', 'before the new version’s processes start'],
    ['tillkit migrate --check', 'whether there is anything to be done'],
  ],
  notes: 'It may be ended and run again at any moment. Progress goes to stderr.',
  async run({ around, print, settings }, _: [], { check = false, keepOld = false }: MigrateFlags) {
    const storage = await openStorage(settings, { made: !check })
    try {
      if (!check) {
        const progress = await migrationProgress(around)
        await storage.migrate({ contract: !keepOld, onProgress: progress.tell }).finally(progress.stop)
      }
      const left = await storage.migrationsLeft()
      const upToDate = left.length === 0
      await print.text({ upToDate, left }, [sentenceOf(left), ...left.map(nameOf)].join('\n'))
      return check && !upToDate ? EXIT.refused : EXIT.done
    } finally {
      await storage.close()
    }
  },
}

function sentenceOf(left: MigrationStep[]): string {
  if (left.length === 0) return 'The tables are up to date.'
  const waits = left.every(({ step }) => step === 'drop' || step === 'correct')
  return waits
    ? 'The tables are up to date but for what waits until no process of the version before runs. Then: tillkit migrate.'
    : 'The tables are not up to date: tillkit migrate.'
}
