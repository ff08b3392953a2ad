import { migrationProgress } from '../output/migration-progress.ts'
import type { CommandSpec } from '../program/command-spec.ts'
import { EXIT } from '../program/exit-status.ts'
import { STORE_SETTINGS } from '../settings/settings.ts'
import { openStorage } from '../store/open-storage.ts'
import { openTill } from '../store/open-till.ts'

interface MigrateFlags {
  check?: boolean
  keepOld?: boolean
}

const UP_TO_DATE = 'The tables are up to date.'

/** Brings the tables up to date. */
export const migrate: CommandSpec = {
  name: 'migrate',
  about: 'Creates the tables, or brings them up to date while others read and write.',
  options: [
    ['--check', 'changes nothing: the exit status is 1 where something is to be done'],
    [
      '--keep-old',
      'leaves indexes that only processes of the version before read by: run it again when they are gone',
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
      if (check) {
        const till = await openTill(storage, settings)
        const upToDate = await till.migrated().finally(() => till.close())
        const sentence = upToDate ? UP_TO_DATE : 'The tables are not up to date: tillkit migrate.'
        await print.text({ upToDate }, sentence)
        return upToDate ? EXIT.done : EXIT.refused
      }
      const progress = await migrationProgress(around)
      await storage.migrate({ contract: !keepOld, onProgress: progress.tell }).finally(progress.stop)
      await print.text({ upToDate: true }, UP_TO_DATE)
      return EXIT.done
    } finally {
      await storage.close()
    }
  },
}
