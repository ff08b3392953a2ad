import type { DatabaseStorage } from '@tillkit/storage-kysely'
import type { Till } from '@tillkit/till'
import type { Printer } from '../output/printer.ts'
import type { SettingName, Values } from '../settings/settings.ts'
import type { Surroundings } from './surroundings.ts'

/** What a command works with. */
export interface Job {
  /** The process, or what a test has put in its place. */
  around: Surroundings
  /** Writes what was asked for, as a table or as JSON. */
  print: Printer
  /** The settings that the command takes, checked. */
  settings: Values
}

/** What a command works with that looks into the database. */
export interface TillJob extends Job {
  /** The till on the database of `--database`; closed when the command ends. */
  till: Till
  /** What it keeps everything in. */
  storage: DatabaseStorage
}

/** Flags and what they do, as commander writes them: `['--label <text>', 'a name for lists']`. */
export type OptionText = readonly [flags: string, help: string]

/** One command. */
export interface CommandSpec {
  /** Its name, without its group's. */
  name: string
  /** What it does, in a sentence. */
  about: string
  /** Its arguments in their order: `['<merchant>', 'the merchant’s id']`. */
  args?: readonly OptionText[]
  /** Its own flags; those of its settings, and `--json`, come by themselves. */
  options?: readonly OptionText[]
  /** Which settings it takes, by flag, environment or file. */
  settings?: readonly SettingName[]
  /** Command lines that work, each with what it does. */
  examples: readonly OptionText[]
  /** What else the help says, after the examples. */
  notes?: string
  /** Prints nothing that a program would read: it has no `--json`. */
  silent?: true
  /**
   * Looks for mistakes that no setting has by itself, before anything is done: a sentence for each, after those that were
   * `found` before. `values` are the settings that are right, `given` the names of all that were given. Unknown flags are then
   * said with the other mistakes. With none the command runs, and what was loaded to be looked at is its own to close.
   */
  check?(
    values: Values,
    given: ReadonlySet<SettingName>,
    found: readonly string[],
  ): Promise<readonly string[]>
  /**
   * Does it. `args` are the arguments, `flags` the own flags by their names in camelCase. What is returned is the exit
   * status, 0 where that is nothing; what is thrown is said in a sentence.
   */
  run(job: Job, args: never, flags: never): Promise<number | undefined>
}

/** Commands about one thing: `tillkit merchants …`. */
export interface CommandGroup {
  /** What comes before the commands' names. */
  name: string
  /** What they are about, in a few words. */
  about: string
  /** The commands, in the order of the help. */
  commands: readonly CommandSpec[]
}
