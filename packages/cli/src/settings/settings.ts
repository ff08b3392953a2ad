import { type DatabaseAddress, databaseAddress } from './database-address.ts'
import {
  address,
  currency,
  list,
  locale,
  oneOf,
  password,
  type Reader,
  secrets,
  text,
  timeZone,
  whole,
  yesOrNo,
} from './readers.ts'

/** One setting: a flag, a variable `TILLKIT_…`, or a name in the file of `--config`. */
interface Setting<Value> {
  /** What follows the flag, `<file>`; nothing where it is only given or not, null where no flag may carry it. */
  value: string | null
  /** What it is, for the help. */
  help: string
  read: Reader<Value>
}

const setting = <Value>(value: string | null, help: string, read: Reader<Value>): Setting<Value> => ({
  value,
  help,
  read,
})

/** Everything that can be set, in the order of the help. */
export const SETTINGS = {
  database: setting<DatabaseAddress>(
    '<address>',
    'the database: till.db, postgres://user@host/name or mysql://user@host/name',
    databaseAddress,
  ),
  schema: setting('<name>', 'on PostgreSQL, the schema of the tables', text),
  tablePrefix: setting('<text>', 'what the tables’ names begin with (default: tillkit_)', text),
  secrets: setting(null, 'what webhook keys are encrypted with: {"current":"k1","keys":{"k1":"…"}}', secrets),
  host: setting('<address>', 'the address to listen at (default: 127.0.0.1)', text),
  port: setting(
    '<number>',
    'the port to listen at, 0 for any that is free (default of serve: 3000)',
    whole(0, 65_535),
  ),
  tlsCert: setting('<file>', 'the certificate and its chain, PEM; read again at SIGHUP', text),
  tlsKey: setting('<file>', 'its private key, PEM', text),
  trustProxy: setting(
    '<who>',
    'the proxies that are believed about HTTPS and addresses: loopback, 10.0.0.0/8, or how many',
    trustedProxies,
  ),
  insecureHttp: setting('', 'answers over plain HTTP: for your own machine', yesOrNo),
  qrBaseUrl: setting(
    '<url>',
    'the address that QR codes carry, before /qr: https://pay.example.com',
    address,
  ),
  corsOrigins: setting('<origins>', 'which browser applications may call the API (default: all)', list),
  processor: setting(
    '<module>',
    'what charges customers: a module of yours, or demo, which moves no money',
    text,
  ),
  currency: setting('<code>', 'the currency whose cents amounts are: EUR', currency),
  locale: setting('<tag>', 'how amounts and dates are written (default: en-IE)', locale),
  timeZone: setting('<name>', 'of the dates on pages (default: UTC)', timeZone),
  brand: setting('<name>', 'the name on the pages', text),
  consoleUser: setting('<name>', 'serves the console at /console, for whoever signs in with this name', text),
  consolePassword: setting(null, 'and this password, of 12 characters or more', password),
  consolePermissions: setting(
    '<names>',
    'what may be done there: read, merchants, keys, codes, webhooks, cash_ups, resolve, settle, audit (default: read)',
    list,
  ),
  webhookHttp: setting('', 'webhooks may go to plain http: for your own machine', yesOrNo),
  webhookNetworks: setting('<cidrs>', 'networks that webhooks may go to besides public ones', list),
  withoutWorker: setting('', 'delivers no webhooks: tillkit worker does', yesOrNo),
  withoutMigrate: setting(
    '',
    'leaves the tables as they are: tillkit migrate brings them up to date',
    yesOrNo,
  ),
  drainSeconds: setting(
    '<number>',
    'for how long, once it is to stop, it answers on and says at /health/readyz that it stops (default: 0)',
    whole(0, 600),
  ),
  reconcileAfter: setting(
    '<seconds>',
    'asks the processor about payments that are pending for so long (default: 120)',
    whole(1, 86_400),
  ),
  logLevel: setting(
    '<level>',
    'debug, info, warn, error or silent (default: info)',
    oneOf('debug', 'info', 'warn', 'error', 'silent'),
  ),
  accessLog: setting('', 'logs a line a request', yesOrNo),
  telemetry: setting(
    '',
    'sends traces and metrics by OpenTelemetry, where OTEL_EXPORTER_OTLP_ENDPOINT says',
    yesOrNo,
  ),
}

/** The name of a setting, as the file of `--config` has it. */
export type SettingName = keyof typeof SETTINGS

/** Settings that were given, checked. */
export type Values = { [Name in SettingName]?: ReturnType<(typeof SETTINGS)[Name]['read']> }

/** What a command takes that opens the database. */
export const STORE_SETTINGS = ['database', 'schema', 'tablePrefix', 'secrets'] as const

/** `tlsCert` as a flag: `--tls-cert`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}

/** `tlsCert` as a variable: `TILLKIT_TLS_CERT`. */
export function variableOf(name: string): string {
  return `TILLKIT_${name.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()}`
}

function trustedProxies(given: unknown): number | string[] {
  if (typeof given === 'number' || (typeof given === 'string' && /^\d+$/.test(given)))
    return whole(1, 100)(given)
  return list(given)
}
