import { toNode } from '@tillkit/node'
import type { Till } from '@tillkit/till'
import { flagOf, SETTINGS, type SettingName, type Values } from '../settings/settings.ts'
import { SettingsError } from '../settings/settings-error.ts'
import { openStorage } from '../store/open-storage.ts'
import { openTill } from '../store/open-till.ts'
import { type Attempt, createHandlers } from './handlers.ts'
import { checkTelemetry } from './logs/telemetry.ts'
import type { LoadedProcessor } from './processor/loaded-processor.ts'
import { loadProcessor } from './processor/processor.ts'
import { readCredentials } from './tls.ts'

/**
 * What is wrong with the settings of `serve` together, after what was `found` before: each part is made, as it will be, and
 * nothing is asked of a database.
 */
export async function checkServe(
  values: Values,
  given: ReadonlySet<SettingName>,
  found: readonly string[],
): Promise<string[]> {
  const { mistakes, attempt, later } = attempts(found)
  mistakes.push(...together(given))
  attempt(() => readCredentials(values))
  attempt(() => toNode({}, trustOf(values)))
  await later(checkTelemetry(values))
  const loaded = await later(tryProcessor(values))
  await later(
    withTill(values, given, async till => {
      const qrBaseUrl = values.qrBaseUrl ?? 'https://pay.example.com' // what is wrong with none is said already
      createHandlers({ till, qrBaseUrl, processor: loaded?.processor }, values, attempt)
    }),
  )
  if (mistakes.length > 0) await later(closed(loaded))
  return mistakes
}

/** The same of `worker`. */
export async function checkWorker(
  values: Values,
  given: ReadonlySet<SettingName>,
  found: readonly string[],
): Promise<string[]> {
  const { mistakes, later } = attempts(found)
  await later(checkTelemetry(values))
  const loaded = await later(tryProcessor(values))
  await later(withTill({ ...values, withoutMigrate: true }, given, async () => {}))
  if (mistakes.length > 0) await later(closed(loaded))
  return mistakes
}

function attempts(found: readonly string[]) {
  const mistakes = [...found]
  const note = (error: unknown): undefined => {
    mistakes.push(...sentences(error))
  }
  const attempt: Attempt = make => {
    try {
      return make()
    } catch (error) {
      return note(error)
    }
  }
  const later = <Made>(making: Promise<Made>): Promise<Made | undefined> => making.catch(note)
  return { mistakes, attempt, later }
}

async function tryProcessor({ processor: name }: Values): Promise<LoadedProcessor | undefined> {
  return name === undefined ? undefined : loadProcessor(name)
}

/** Of a command that is not to run. One that is loads the same module, which is imported once, and closes it when it ends. */
async function closed(loaded: LoadedProcessor | undefined): Promise<void> {
  await loaded?.close()
}

/** A till on the database, of which nothing is asked. */
async function withTill(
  values: Values,
  given: ReadonlySet<SettingName>,
  work: (till: Till) => Promise<void>,
): Promise<void> {
  if (given.has('database') && values.database === undefined) return // that is said already
  const storage = await openStorage(values, { made: !values.withoutMigrate })
  try {
    const till = await openTill(storage, values, false)
    await work(till)
    await till.close()
  } finally {
    await storage.close()
  }
}

/** The proxies, as `toNode` takes them. */
export function trustOf({ trustProxy }: Values): { trustProxy?: number | string[] } {
  return trustProxy === undefined ? {} : { trustProxy }
}

function together(given: ReadonlySet<SettingName>): string[] {
  const has = (name: SettingName) => given.has(name)
  const missing: [boolean, string][] = [
    [has('tlsCert') && !has('tlsKey'), '--tls-cert needs --tls-key'],
    [has('tlsKey') && !has('tlsCert'), '--tls-key needs --tls-cert'],
    [has('insecureHttp') && has('tlsCert'), '--insecure-http and --tls-cert exclude each other'],
    [
      !has('insecureHttp') && !has('tlsCert') && !has('tlsKey') && !has('trustProxy'),
      'how HTTPS comes is not said: --tls-cert with --tls-key, --trust-proxy, or, on your own machine, --insecure-http',
    ],
    [!has('qrBaseUrl') && !has('insecureHttp'), 'the address that QR codes carry is needed: --qr-base-url'],
    [has('processor') && !has('currency'), '--processor needs --currency'],
    [has('consoleUser') && !has('currency'), '--console-user needs --currency'],
    [
      has('consoleUser') && !has('consolePassword'),
      '--console-user needs a password: TILLKIT_CONSOLE_PASSWORD',
    ],
    [has('consolePassword') && !has('consoleUser'), 'a password of the console needs --console-user'],
  ]
  return missing.filter(([wrong]) => wrong).map(([, sentence]) => sentence)
}

/** Where an option that is wrong comes from. */
const FROM: Record<string, SettingName> = {
  'cors.origins': 'corsOrigins',
  'webhooks.allowedNetworks': 'webhookNetworks',
  'brand.name': 'brand',
  permissions: 'consolePermissions',
}

function sentences(error: unknown): readonly string[] {
  if (error instanceof SettingsError) return error.mistakes
  const { message } = error as Error
  const [path = ''] = /^[a-zA-Z.]+[a-zA-Z]/.exec(message) ?? []
  const name = FROM[path] ?? (Object.hasOwn(SETTINGS, path) ? (path as SettingName) : undefined)
  return [name === undefined ? message : message.replace(/^[\w.]+/, flagOf(name))]
}
