import { type Account, surveyOf } from './account/account.ts'
import { checksFor } from './checks/checks.ts'
import { https } from './checks/requests/https.ts'
import { openTransport } from './network/transport.ts'
import {
  assertKnown,
  type ConformanceOptions,
  checkedAddress,
  checkedKey,
  checkedNames,
  checkedNumber,
  checkedVocabulary,
  MAX_SECONDS,
} from './options.ts'
import type { Codes } from './qr/images.ts'
import { CannotTry, type ConformanceReport, reportOf } from './report.ts'
import { isObject } from './rules/kinds.ts'
import { openSession } from './session/open-session.ts'
import { reached } from './session/reached.ts'
import { runChecks } from './session/run-checks.ts'
import type { Session } from './session/session.ts'

const OPTIONS = [
  'url',
  'key',
  'qrUrl',
  'qrBaseUrl',
  'scanCode',
  'httpUrl',
  'destructive',
  'vocabulary',
] satisfies (keyof ConformanceOptions)[]

/**
 * Tries a mounted instance against its contract, docs/api.md, and returns what came of each check. It reads, and creates
 * nothing, unless `destructive` is set. Rejects with `CannotTry` where nobody answers or the key is refused, and with a
 * `TypeError` that names an option that is wrong.
 */
export async function checkConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  assertKnown(options, OPTIONS)
  const api = checkedAddress('url', options.url)
  const key = checkedKey('key', options.key)
  const vocabulary = checkedVocabulary('vocabulary', options.vocabulary)
  const seconds = checkedNumber('maxSeconds', options.maxSeconds, MAX_SECONDS)
  const qr = options.qrUrl === undefined ? null : checkedAddress('qrUrl', options.qrUrl).replace(/\/qr$/, '')
  const encodedBase =
    options.qrBaseUrl === undefined
      ? null
      : checkedAddress('qrBaseUrl', options.qrBaseUrl).replace(/\/qr$/, '')
  const plain = options.httpUrl === undefined ? plainOf(api) : checkedAddress('httpUrl', options.httpUrl)

  const deadline = performance.now() + seconds * 1000
  const transport = openTransport(options)
  try {
    const addresses = { api, qr, plain }
    const { session, rules } = openSession({ addresses, key, keyName: 'KEY', vocabulary }, options, transport)
    const told = (checks: ReturnType<typeof checksFor>) =>
      checks.map(check => ({
        ...check,
        run: (session: Session) => {
          options.onCheck?.(check.title)
          return check.run(session)
        },
      }))
    if (await refusesPlain(session, api)) {
      // Without a look at the account, for which the key would be sent in the clear.
      const results = await reached(
        runChecks(session, told([https]), rules, deadline, undefined, async () => ''),
      )
      return reportOf(api, session.requests, results)
    }
    let account: Account | undefined
    const found = await session.during('survey', async () => {
      account = await reached(surveyOf(session))
    })
    if (account === undefined) throw new CannotTry('the account could not be read')
    const codes = codesOf(account, qr, options.scanCode, encodedBase)
    const all = checksFor(account, options.destructive ?? false, codes)
    const names = checkedNames(
      options.only,
      all.map(({ name }) => name),
    )
    const checks = told(all.filter(({ name }) => names.includes(name)))
    const results = await reached(runChecks(session, checks, rules, deadline, found))
    return reportOf(api, session.requests, results)
  } finally {
    transport.close()
  }
}

/** The same host over plain HTTP, where its port is known. */
function plainOf(api: string): string | null {
  const url = new URL(api)
  if (url.protocol === 'http:') return api
  return url.port === '' ? api.replace(/^https:/, 'http:') : null
}

/** Whether an http address refuses what is asked over it: then the key must not be sent there. */
async function refusesPlain(session: Session, api: string): Promise<boolean> {
  if (!api.startsWith('http:')) return false
  return session.quietly(async () => {
    const { status, json } = await reached(
      session.ask({ place: 'plain', path: '/payments', credentials: 'none' }),
    )
    return status === 403 && isObject(json) && json.code === 'https_required'
  })
}

function codesOf(
  { window }: Account,
  qr: string | null,
  given: string | undefined,
  encodedBase: string | null,
): Codes | string {
  if (qr === null) return 'no address of QR codes was given'
  const scanCode = given ?? window?.payments[0]?.scanCode
  return scanCode === undefined ? 'there is no payment to take a scan code from' : { scanCode, encodedBase }
}
