import { kindOf, refuse } from '../../schema/invalid-input.ts'

interface Kind {
  is(value: unknown): boolean
  words: string
}

/** A timer takes no more milliseconds, and a longer one ends at once. */
const MOST = 2 ** 31 - 1

const wholeFrom = (least: number): Kind => ({
  is: value => typeof value === 'number' && Number.isInteger(value) && value >= least && value <= MOST,
  words: `a whole number from ${least} to ${MOST}`,
})
const YES_OR_NO: Kind = {
  is: value => typeof value === 'boolean' || value === 0 || value === 1,
  words: 'true or false',
}
const OBJECT: Kind = { is: value => typeof value === 'object' && value !== null, words: 'an object in JSON' }
const TEXT: Kind = { is: () => true, words: 'a text' }

/** What the address may say of how the server is reached. What is none of its kind mysql2 takes for something else, or waits with it without end. */
const KEPT = new Map<string, Kind>([
  [
    'ssl',
    {
      is: value => OBJECT.is(value) || value === false || value === 'Amazon RDS',
      words:
        'false, or what node:tls takes, in JSON: ssl={"rejectUnauthorized":true} for a certificate that is looked at',
    },
  ],
  ...kept(TEXT, 'socketPath', 'localAddress', 'password1', 'password2', 'password3', 'passwordSha1'),
  ...kept(OBJECT, 'connectAttributes'),
  ...kept(YES_OR_NO, 'compress', 'enableKeepAlive', 'insecureAuth', 'enableCleartextPlugin', 'disableEval'),
  ...kept(YES_OR_NO, 'waitForConnections'),
  ...kept(wholeFrom(1), 'connectionLimit'),
  ...kept(wholeFrom(0), 'connectTimeout', 'keepAliveInitialDelay', 'maxIdle', 'idleTimeout', 'queueLimit'),
])

function kept(kind: Kind, ...names: string[]): [name: string, kind: Kind][] {
  return names.map(name => [name, kind])
}

/** What the address may say, to other programs perhaps, and what would change the meaning of a value or a row here. */
const SET_RIGHT = new Set([
  ...['charset', 'charsetNumber', 'flags', 'timezone', 'dateStrings', 'typeCast', 'jsonStrings'],
  ...['supportBigNumbers', 'bigNumberStrings', 'decimalNumbers', 'stringifyObjects', 'multipleStatements'],
  ...['rowsAsArray', 'nestTables', 'namedPlaceholders', 'queryFormat', 'maxPreparedStatements'],
  ...['resetOnRelease', 'gracefulEnd', 'debug', 'trace'],
])

/** The address without what is set right. Throws `TillError` for what is none, and for what mysql2 would refuse, or misread, at the first use. */
export function addressOf(uri: unknown): string {
  const wanted = 'uri must be a mysql:// or mariadb:// address'
  if (typeof uri !== 'string') refuse(`${wanted}, not ${kindOf(uri)}`)
  if (!URL.canParse(uri)) refuse(`${wanted}, and this is not a URL`)
  const url = new URL(uri)
  if (!/^(mysql|mariadb):$/.test(url.protocol)) refuse(`${wanted}, and this begins with ${url.protocol}`)
  if (url.hostname === '') refuse(`${wanted}, and this names no host`)
  const { username, password, pathname } = url
  for (const [part, text] of Object.entries({ 'user name': username, password, database: pathname })) {
    if (!isEncoded(text))
      refuse(`${wanted}, and in the ${part} of this is a % that begins no code: % itself is %25`)
  }
  for (const [name, value] of [...url.searchParams]) {
    const kind = KEPT.get(name)
    if (SET_RIGHT.has(name)) url.searchParams.delete(name)
    else if (!kind) refuse(`uri has the parameter ${name}, which is not known`)
    else if (!kind.is(read(value))) refuse(`${name} in uri must be ${kind.words}`)
  }
  return url.href.replace(/^mariadb:/, 'mysql:')
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** A parameter's value as mysql2 reads it. */
function read(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
