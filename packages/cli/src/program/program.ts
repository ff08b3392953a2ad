import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { Command, Option } from 'commander'
import { COMMANDS } from '../commands/commands.ts'
import { hasColours, printer } from '../output/printer.ts'
import { readSettings } from '../settings/read-settings.ts'
import { flagOf, SETTINGS, type SettingName, variableOf } from '../settings/settings.ts'
import { SettingsError } from '../settings/settings-error.ts'
import type { CommandGroup, CommandSpec, OptionText } from './command-spec.ts'
import type { Surroundings } from './surroundings.ts'

/** The command line that was read, and what came of it. */
export interface Program {
  /** Reads words, and does what they say. */
  command: Command
  /** The command that ran, or undefined where none has. */
  ran(): Command | undefined
  /** The exit status that it returned. */
  status(): number
}

const NOTES = `
The database may come from the environment, TILLKIT_DATABASE, and every other setting in the same way:
TILLKIT_PORT for --port; TILLKIT_DATABASE_FILE names a file that holds the value. --config names a JSON file of settings:
{"database":"till.db","port":3000}. A flag counts before the environment, and that before the file.

Exit status: 0 done, 1 refused or not found, 2 the command line or a setting is wrong, 3 the database, 70 a fault of tillkit.
`

/** All commands but those `without`, as commander has them. Nothing is opened before one of them runs. */
export function createProgram(around: Surroundings, without: readonly string[] = []): Program {
  const { stdout, stderr } = around
  let ran: Command | undefined
  let status = 0
  const command = new Command('tillkit')
    .description('Serves a merchant payments API, and looks after its merchants, keys, codes and payments.')
    .version(version(), '--version', 'prints the version')
    .helpOption('-h, --help', 'says how it is used')
    .helpCommand('help [command]', 'says how a command is used')
    .exitOverride()
    .configureOutput({
      writeOut: text => stdout.write(text),
      writeErr: text => stderr.write(text),
      getOutHasColors: () => hasColours(around),
      getErrHasColors: () => false,
      outputError: (text, print) => print(text.replace(/^error: /, 'tillkit: ')),
    })
    .addHelpText('after', NOTES)

  // Before the name of a command they are what they are behind it.
  for (const flags of ['--database <address>', '--config <file>', '--json']) {
    command.addOption(new Option(flags).hideHelp())
  }

  const add = (parent: Command, spec: CommandSpec) => {
    const { name, about, args = [], options = [], settings = [], examples, notes = '', silent = false } = spec
    const made = parent.command(name).description(about)
    for (const [argument, help] of args) made.argument(argument, help)
    for (const [flags, help] of options) made.option(flags, help)
    for (const setting of settings) addSetting(made, setting)
    if (settings.length > 0) made.option('--config <file>', 'a JSON file of settings (TILLKIT_CONFIG)')
    if (!silent) made.option('--json', 'prints JSON, for programs')
    made.addHelpText(
      'after',
      `${secretNotes(settings)}\nExamples:\n${examplesText(examples)}${notes && `\n${notes.trim()}\n`}`,
    )
    if (spec.check) made.allowUnknownOption().allowExcessArguments()
    made.action(async () => {
      ran = made
      const flags = made.optsWithGlobals()
      const { values, given, mistakes: found } = readSettings(settings, { flags, env: around.env })
      const mistakes = spec.check ? await spec.check(values, given, [...found, ...unexpected(made)]) : found
      if (mistakes.length > 0) throw new SettingsError(mistakes)
      const job = { around, print: printer(around, flags.json === true), settings: values }
      status = (await spec.run(job, made.processedArgs as never, flags as never)) ?? 0
    })
  }

  for (const entry of COMMANDS.filter(({ name }) => !without.includes(name))) {
    if (isGroup(entry)) {
      const group = command.command(entry.name).description(entry.about)
      for (const spec of entry.commands) add(group, spec)
    } else add(command, entry)
  }
  return { command, ran: () => ran, status: () => status }
}

function isGroup(entry: CommandSpec | CommandGroup): entry is CommandGroup {
  return 'commands' in entry
}

/** What was left of the words of a command that takes no arguments. */
function unexpected({ args }: Command): string[] {
  const flags = args.filter(word => word.startsWith('-'))
  return (flags.length > 0 ? flags : args).map(word => `${word} is not known to this command`)
}

function addSetting(command: Command, name: SettingName): void {
  const { value, help } = SETTINGS[name]
  if (value === null) return
  const flags = value === '' ? flagOf(name) : `${flagOf(name)} ${value}`
  const variable = name === 'database' ? ` (${variableOf(name)})` : ''
  command.addOption(new Option(flags, `${help}${variable}`))
}

function secretNotes(settings: readonly SettingName[]): string {
  const secret = settings.filter(name => SETTINGS[name].value === null)
  if (secret.length === 0) return ''
  const lines = secret.map(name => `  ${variableOf(name)}  ${SETTINGS[name].help}`)
  return `\nFrom the environment or the file of settings alone, since the list of processes shows flags:\n${lines.join('\n')}\n`
}

function examplesText(examples: readonly OptionText[]): string {
  return examples.map(([line, what]) => `  ${line}\n      ${what}\n`).join('')
}

function version(): string {
  const file = findPackageJSON('.', import.meta.url) ?? ''
  return JSON.parse(readFileSync(file, 'utf8')).version
}
