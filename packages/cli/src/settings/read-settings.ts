import { readFileSync } from 'node:fs'
import { hasPassword } from './database-address.ts'
import { mistakeOf } from './readers.ts'
import { flagOf, SETTINGS, type SettingName, type Values, variableOf } from './settings.ts'

/** Where settings come from; a flag counts before a variable, a variable before the file. */
export interface Sources {
  /** By their names in camelCase; `config` names the file. */
  flags: Readonly<Record<string, unknown>>
  env: Readonly<Record<string, string | undefined>>
}

interface Given {
  value: unknown
  /** What it is called in a sentence. */
  called: string
}

/** What came of reading settings. */
export interface Read {
  /** Those that are right. */
  values: Values
  /** Those that were given, right or wrong. */
  given: ReadonlySet<SettingName>
  /** A sentence for each that is wrong. */
  mistakes: string[]
}

/** Reads the settings called `names`, and says all that is wrong with any of them. */
export function readSettings(names: readonly SettingName[], sources: Sources): Read {
  const mistakes: string[] = []
  const values: Partial<Record<SettingName, unknown>> = {}
  const all = new Set<SettingName>()
  const file = readConfig(sources, mistakes)
  for (const name of names) {
    const given = givenBy(name, sources, file, mistakes)
    if (given === undefined) continue
    all.add(name)
    try {
      values[name] = SETTINGS[name].read(given.value)
    } catch (error) {
      mistakes.push(`${given.called} ${mistakeOf(error) ?? 'cannot be read'}`)
    }
  }
  const { database } = sources.flags
  if (names.includes('database') && typeof database === 'string' && hasPassword(database)) {
    mistakes.push(
      '--database has a password in it, which the list of processes shows: put the address into TILLKIT_DATABASE, or into a file that TILLKIT_DATABASE_FILE or --config names',
    )
  }
  return { values: values as Values, given: all, mistakes }
}

function givenBy(
  name: SettingName,
  { flags, env }: Sources,
  file: Config | undefined,
  mistakes: string[],
): Given | undefined {
  if (flags[name] !== undefined) return { value: flags[name], called: flagOf(name) }
  const variable = variableOf(name)
  const kept = `${variable}_FILE`
  const own = name === 'port' ? ofKubernetes(env[variable]) : env[variable]
  if (own && env[kept]) mistakes.push(`${variable} and ${kept} are both given`)
  if (own) return { value: own, called: variable }
  if (env[kept]) {
    const value = contents(env[kept], kept, mistakes)
    return value === undefined ? undefined : { value: value.trim(), called: `what is in the file of ${kept}` }
  }
  if (file && Object.hasOwn(file.values, name)) {
    return { value: file.values[name], called: `${name} in ${file.name}` }
  }
  return undefined
}

/** For a service called tillkit Kubernetes sets TILLKIT_PORT to an address, which says nothing about where to listen. */
function ofKubernetes(port: string | undefined): string | undefined {
  return port?.startsWith('tcp://') ? undefined : port
}

interface Config {
  name: string
  values: Record<string, unknown>
}

function readConfig({ flags, env }: Sources, mistakes: string[]): Config | undefined {
  const named = flags.config === undefined ? env.TILLKIT_CONFIG : flags.config
  if (typeof named !== 'string' || named === '') return undefined
  const called = flags.config === undefined ? 'TILLKIT_CONFIG' : '--config'
  const text = contents(named, called, mistakes)
  if (text === undefined) return undefined
  let values: unknown
  try {
    values = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    // What the parser says would quote the file, which has secrets in it.
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    mistakes.push(`${named} must be a JSON object of settings`)
    return undefined
  }
  for (const name of Object.keys(values)) {
    if (!Object.hasOwn(SETTINGS, name)) mistakes.push(`${name} in ${named} is not a known setting`)
  }
  return { name: named, values: values as Record<string, unknown> }
}

function contents(file: string, called: string, mistakes: string[]): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    mistakes.push(`${called} names ${file}, which cannot be read: ${(error as NodeJS.ErrnoException).code}`)
    return undefined
  }
}
