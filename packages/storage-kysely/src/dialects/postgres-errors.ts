import { errorCode, isBrokenConnection } from './error-code.ts'
import { type Meaning, meaningOf, TRANSACTION_ENDED } from './meaning.ts'

/**
 * What an error of PostgreSQL's leaves of the statement that it answers:
 * - `again`: nothing, because of another session; it may go well the next time.
 * - `lost`: the server is out of reach, or ended the session. Whether the statement took place nobody knows.
 * - `unknown`: the server itself does not know whether it took place.
 */
type Fate = 'again' | 'lost' | 'unknown'

/**
 * By code, or by class where a whole class is alike. What is not here is final: nothing is left of the statement, and it
 * would fail again; so it is with a full disk (53100), too little memory (53200), a server or session that only reads
 * (25006), a missing right (42501), a refused login (28xxx), a statement that was canceled (57014), a database that is not
 * there (3D000, 57P04), and a fault of the server's own (58xxx, XXxxx), save that it ends the session.
 */
const FATES = new Map<string, Fate>([
  // feature_not_supported: tables were distributed, or changed, since this session planned for them.
  ['0A000', 'again'],
  // connection_exception; poolers say this too, of a server that they lost.
  ['08', 'lost'],
  // idle_in_transaction_session_timeout, transaction_timeout.
  ['25P03', 'lost'],
  ['25P04', 'lost'],
  // transaction_rollback, serialization_failure, statement_completion_unknown, deadlock_detected.
  ['40000', 'again'],
  ['40001', 'again'],
  ['40003', 'unknown'],
  ['40P01', 'again'],
  // too_many_connections: others give theirs back.
  ['53300', 'lost'],
  // lock_not_available.
  ['55P03', 'again'],
  // admin_shutdown, crash_shutdown, cannot_connect_now, idle_session_timeout.
  ['57P01', 'lost'],
  ['57P02', 'lost'],
  ['57P03', 'lost'],
  ['57P05', 'lost'],
])

/** What pg says, without a code, of a connection that ended or was not made in time. */
const LOST_WORDS =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout)/

/** An internal_error of extensions that commit on several servers, when one of them did not answer. */
const COMMIT_WORDS = /\bcommit/i

/** What Citus says of a node that took no connection: nothing was sent there. */
const NODE_REFUSED =
  /^connection to the remote node .* failed with the following error: (FATAL|Connection refused|could not connect|connection to server .* failed)/

/** And, as of an internal error, of a server that it lost while it worked with it: of its own, or of a node. */
const NODE_LOST = /^(postmaster was shut down|failure on connection marked as essential)/

/** What libpq says of a connection to a node that broke in the middle of a statement: Citus hands it on as an internal error. */
const NODE_CUT_OFF =
  /^(server closed the connection|SSL (SYSCALL error|error:|connection has been closed)|could not (receive data from|send data to) server)/

/**
 * And of a shard that was split, or of tables and functions that a node was given anew (`citus_activate_node`), while a statement for
 * them was planned: nothing was done.
 */
const GONE_MEANWHILE =
  /^(could not find valid entry for shard|could not open relation with OID|cache lookup failed for function) /

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}

function isRefusedByNode(error: unknown): boolean {
  return errorCode(error).startsWith('08') && NODE_REFUSED.test(wordsOf(error))
}

/** A rule (`create rule`) on a table makes another statement of one, which cannot be: whatever the language, by its place in the server. */
function isOfRule(error: unknown): boolean {
  return errorCode(error) === '0A000' && (error as { routine?: unknown }).routine === 'RewriteQuery'
}

function fateOf(error: unknown): Fate | undefined {
  const code = errorCode(error)
  const words = wordsOf(error)
  if (isOfRule(error)) return undefined
  if (isBrokenConnection(error) || LOST_WORDS.test(words)) return 'lost'
  if (code === 'XX000' && (NODE_LOST.test(words) || NODE_CUT_OFF.test(words))) return 'lost'
  if (code === 'XX000' && GONE_MEANWHILE.test(words)) return 'again'
  if (code === 'XX000' && COMMIT_WORDS.test(words)) return 'unknown'
  if (isRefusedByNode(error)) return 'again'
  return FATES.get(code) ?? FATES.get(code.slice(0, 2))
}

/** What a server says has a severity, be it in another language; what pg or Node says of a connection has none. */
function severityOf(error: unknown): string | undefined {
  const { severity } = (error ?? {}) as { severity?: unknown }
  return typeof severity === 'string' ? severity : undefined
}

const ENDS_SESSION = new Set(['FATAL', 'PANIC'])

export const isTransient = (error: unknown): boolean => fateOf(error) === 'again'

export const isLost = (error: unknown): boolean => fateOf(error) === 'lost'

export function isAnswer(error: unknown): boolean {
  const severity = severityOf(error)
  if (severity === undefined || ENDS_SESSION.has(severity)) return false
  const fate = fateOf(error)
  return fate === undefined || fate === 'again'
}

/**
 * idle_session_timeout, of the session itself: a server looks whether it is over when it has read a message and before it does what
 * that says, and has it run only between transactions. Of another one, a node's, an error would tell.
 */
export const isUnbegun = (error: unknown): boolean =>
  errorCode(error) === '57P05' && severityOf(error) === 'FATAL'

/** untranslatable_character, of the conversion between encodings: of JSON the engine says that too. */
export const lacksCharacter = (error: unknown): boolean =>
  (error as { routine?: unknown } | null)?.routine === 'report_untranslatable_char'

/** What PgBouncer says, as a protocol_violation, to a client that is one too many. */
const POOLER_FULL = /^(no more connections allowed|client connections exceeded)/

/** A connection that is one too many for the server, the role, the database or a pooler, and is had when another one is given back. */
export function isOverConnections(error: unknown): boolean {
  const code = errorCode(error)
  return code === '53300' || (code === '08P01' && POOLER_FULL.test(wordsOf(error)))
}

/** duplicate_prepared_statement, invalid_sql_statement_name. */
const OTHER_STATEMENTS = ['42P05', '26000']

const MEANINGS: Meaning<string>[] = [
  ['the database is read-only', ['25006']],
  // no_active_sql_transaction: a savepoint is refused.
  [TRANSACTION_ENDED, ['25P01']],
  ['the disk of the database is full', ['53100']],
  [
    'the database has no memory left, or no room for locks, which max_locks_per_transaction gives it',
    ['53200'],
  ],
  ['the database has no connection left', ['53300']],
  ['the user of the database may not do this', ['42501']],
  ['the database refuses this user or password', ['28P01', '28000']],
  ['the database does not exist', ['3D000', '57P04']],
  [
    'the named prepared statements of one session did not get to another, as behind a pooler: give postgresStorage preparedStatements: false',
    OTHER_STATEMENTS,
  ],
  ['the tables may be distributed, call storage.distribute()', ['0A000']],
  ['the files of the database are damaged', ['XX001', 'XX002']],
  // undefined_column; undefined_function, which distributed tables have some of.
  ['the Tillkit tables are of another version, call storage.migrate()', ['42703', '42883']],
]

/** What a server answers to a write that takes none, or whose session takes none: that stays as it began. */
export const isReadOnly = (error: unknown): boolean => errorCode(error) === '25006'

/**
 * query_canceled, as statement_timeout has it, and configuration_limit_exceeded, of temp_file_limit: what a role or a database is given of
 * these, a session keeps from when it began, however much that is by now.
 */
const HELD_BY_SESSION = ['57014', '53400']

export const isForAnotherSession = (error: unknown): boolean =>
  isReadOnly(error) || HELD_BY_SESSION.includes(errorCode(error))

/** True where the session is of no more use, though the server goes on: what it has planned is for other tables. */
export const isOutOfDate = (error: unknown): boolean => errorCode(error) === '0A000' && !isOfRule(error)

/** division_by_zero: so a statement undoes itself where one of its rows is kept out. */
export const isDividedByZero = (error: unknown): boolean => errorCode(error) === '22012'

/** True where the session has forgotten what its client has prepared there, or has what another one has: nothing was done. */
export const hasOtherStatements = (error: unknown): boolean => OTHER_STATEMENTS.includes(errorCode(error))

export function explain(error: unknown): string | undefined {
  if (isRefusedByNode(error)) return 'a node of the cluster takes no connection'
  if (isOfRule(error)) return 'a rule on the Tillkit tables makes other statements of Tillkit’s, drop it'
  return meaningOf(MEANINGS, errorCode(error))
}

/** What these say names servers, users, tables, columns and settings, and no value. */
const QUOTES_NONE =
  /^(08...|23...|25...|26...|28...|3D...|3F...|40...|42...|53...|54...|55...|57...|58...|22001)$/

/** Errors of the driver and the network have no severity. */
export const quotes = (error: unknown): boolean =>
  'severity' in (error as object) && !QUOTES_NONE.test(errorCode(error)) && !isOfRule(error)
