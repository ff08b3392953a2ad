import { closeAll } from '../program/close-all.ts'
import type { CommandSpec, TillJob } from '../program/command-spec.ts'
import { type SettingName, STORE_SETTINGS } from '../settings/settings.ts'
import { openStorage } from './open-storage.ts'
import { openTill } from './open-till.ts'

/** A command that works on a till: it takes the settings of the database, and is handed the till beside them. */
export interface TillCommand<Args, Flags> extends Omit<CommandSpec, 'run' | 'settings'> {
  /** Settings that it takes beside those of the database. */
  settings?: readonly SettingName[]
  /** Does it, as `CommandSpec` has it: a number that is returned is the exit status. */
  run(job: TillJob, args: Args, flags: Flags): Promise<unknown>
}

/** The command, with the database opened before it and closed after it, however it ends. */
export function onTill<Args extends readonly unknown[] = [], Flags = Record<string, never>>(
  command: TillCommand<Args, Flags>,
): CommandSpec {
  return {
    ...command,
    settings: [...STORE_SETTINGS, ...(command.settings ?? [])],
    async run(job, args: Args, flags: Flags) {
      const storage = await openStorage(job.settings)
      const closings = [() => storage.close()]
      try {
        const till = await openTill(storage, job.settings)
        closings.push(() => till.close())
        const status = await command.run({ ...job, storage, till }, args, flags)
        return typeof status === 'number' ? status : undefined
      } finally {
        await closeAll(closings)
      }
    },
  }
}
