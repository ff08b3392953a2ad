import { sql } from 'kysely'
import { rollBackCutOff } from '../mysql/galera.ts'
import { waitForLocks } from '../mysql/pools/lock-waits.ts'
import { OVER_TIME } from '../mysql/read-limit.ts'
import { checkSession } from '../mysql/sessions/session-check.ts'
import { NO_SUCH_SAVEPOINT, wasUndone } from '../mysql/was-undone.ts'
import type { Dialect } from './dialect.ts'
import { errorCode, isBrokenConnection } from './error-code.ts'
import { inHex } from './hex-text.ts'
import { type Meaning, meaningOf, TRANSACTION_ENDED } from './meaning.ts'

/**
 * What a server answers that is cut off from its cluster, or leaving it, or not there yet: ER_UNKNOWN_COM_ERROR of a Galera node, and
 * ER_GRP_TRX_CONSISTENCY_NOT_ALLOWED, _BEFORE and _AFTER_ON_TRX_BEGIN where a transaction is to have what the others of a group have.
 */
const OUTSIDE = new Set([1047, 3796, 3797, 3798])

/**
 * ER_LOCK_WAIT_TIMEOUT, ER_LOCK_DEADLOCK (a conflict on Galera too), ER_CHECKREAD, a server outside of its cluster, and
 * ER_TRANSACTION_ROLLBACK_DURING_COMMIT: of a group of MySQL servers each has found that another one's transaction came first.
 */
const TRANSIENT = new Set([1205, 1213, 1020, ...OUTSIDE, 3101])

/**
 * A table, a column, an index or a row that is there already, or no longer, and a conflict: nodes of a Galera cluster do each
 * statement of a migration in one order, and know nothing of each other's locks.
 */
const BESIDE_ANOTHER = new Set([1050, 1060, 1061, 1062, 1091, 1146, 1205, 1213, 3101])

/**
 * Too many connections, a shutdown, a killed or idle connection, and a server in offline mode, as one is that has left its group
 * (MySQL 9 says that three ways); and what a program between, MySQL Router say, tells in words of
 * MySQL's client library of the server behind it (CR_CONNECTION_ERROR, CR_CONN_HOST_ERROR, CR_SERVER_GONE_ERROR, CR_SERVER_LOST, its
 * EXTENDED): no server answers so itself, and a statement that one was lost with may have been done.
 */
const LOST = new Set([
  ...[1040, 1053, 1080, 1152, 1158, 1159, 1160, 1161, 1927, 3032, 4031, 6400, 6401],
  ...[2002, 2003, 2006, 2013, 2055],
])

/** ER_TOO_MANY_USER_CONNECTIONS, of a limit for each user, and ER_USER_LIMIT_REACHED, of one of this user's own, which it names. */
const [OVER_LIMIT_OF_ALL, OVER_OWN_LIMIT] = [1203, 1226]
const OF_CONNECTIONS = /'max_user_connections'/

/** ER_ACCOUNT_HAS_BEEN_LOCKED, of MariaDB, by whose number mysql2 knows another error, and of MySQL. */
const LOCKED = [4151, 3118]

/** ER_CONSTRAINT_FAILED, of MariaDB, by whose number mysql2 knows another error, and ER_CHECK_CONSTRAINT_VIOLATED of MySQL. */
const CHECKS = [4025, 3819]

/** ER_OPTION_PREVENTS_STATEMENT, of `read_only` where it says so. */
const OPTION_PREVENTS = 1290

/**
 * What a session refuses that keeps a limit from when it began, however high that is by now: of sorts, joins, its memory, its binary
 * log, time and messages (ER_OUT_OF_SORTMEMORY, ER_TOO_BIG_SELECT, ER_OPTION_PREVENTS_STATEMENT, ER_BINLOG_STMT_MODE_AND_ROW_ENGINE,
 * those of `OVER_TIME`, and ER_NET_PACKET_TOO_LARGE, after which the server hangs up).
 */
const HELD_BY_SESSION = new Set([1038, 1104, 1153, OPTION_PREVENTS, 1665, ...OVER_TIME])

/** ER_RECORD_FILE_FULL, of a disk, or of a temporary table, whose limit a session keeps as well. */
const FULL = 1114
const TEMPORARY_WORDS = /'\(temporary\)'/

/**
 * ER_ERROR_DURING_COMMIT of a node of Galera and ER_RUN_HOOK_ERROR of one of MySQL's groups: it was cut off from the others as it
 * committed, and they may have what it sent, and keep it. What else it says of a commit is said before that is sent, or once
 * all nodes know that it fails.
 */
const IN_DOUBT = new Set([1180, 3100])

/** What comes before that: a node of MySQL's is given another's transaction first, HA_ERR_LOCK_DEADLOCK, and has sent nothing. */
const OVERTAKEN_WORDS = /^Got error 149\b/

/** That, ER_READ_ONLY_MODE, and ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION of a session that began while the server's sessions only read. */
const READ_ONLY = new Set([OPTION_PREVENTS, 1836, 1792])
const READ_ONLY_WORDS = /read.only/i

const LOST_WORDS = /closed state|Connection lost|server has gone away/

/** MySQL and MariaDB. */
export const mysql: Dialect = {
  name: 'mysql',
  types: {
    text: length => `varchar(${length})`,
    integer: 'bigint',
    flag: 'boolean',
    date: 'datetime',
    instant: 'datetime(3)',
    json: 'json',
  },
  partialIndexes: false,
  oneWriter: false,
  composes: false,
  updatesReturn: false,
  isolation: 'read committed',
  flag: Number,
  time: value => `${value.slice(0, 10)} ${value.slice(11, -1)}`,
  orNow: given => sql<string>`coalesce(cast(${given} as datetime(3)), utc_timestamp(3))`,
  timeOf: column => sql<string>`cast(${column} as char)`,
  secondOf: column => sql<string>`cast(${column} as char)`,
  // A whole number here is a bigint to MySQL, which a pool may read as text.
  flagOf: column => sql`coalesce(${column}, 2e0)`,
  jsonText: column => sql<string>`cast(${column} as char)`,
  // A Kysely of the host's writes values into its statements; a pool sends them beside, as they were.
  bind: inHex,
  sessionCheck: () => checkSession,
  isDuplicate: error => errorNumber(error) === 1062,
  isMissingTable: error => errorNumber(error) === 1146,
  isTransient: error => TRANSIENT.has(errorNumber(error)) || isOvertaken(error),
  isBesideAnother: error => BESIDE_ANOTHER.has(errorNumber(error)),
  isLockWait: error => errorNumber(error) === 1205,
  // What a server says has an SQLSTATE; what the driver says of a connection has none.
  isAnswer: error => hasState(error) && !isInDoubt(error) && !isLost(error),
  isLost,
  isForAnotherServer,
  isForAnotherSession: error =>
    isForAnotherServer(error) || HELD_BY_SESSION.has(errorNumber(error)) || isOfTemporaryTable(error),
  rollBackRefused: rollBackCutOff,
  waitForLocks,
  wasUndone,
  explain(error) {
    if (isOvertaken(error) || isOfOtherOption(error)) return undefined
    return isOfTemporaryTable(error) ? TEMPORARY_FULL : meaningOf(MEANINGS, errorNumber(error))
  },
  // Errors of the driver and the network have no SQLSTATE.
  quotes: error => hasState(error) && !QUOTES_NONE.has(errorNumber(error)),
}

function hasState(error: unknown): boolean {
  return typeof (error as { sqlState?: unknown } | null)?.sqlState === 'string'
}

function isInDoubt(error: unknown): boolean {
  return IN_DOUBT.has(errorNumber(error)) && !isOvertaken(error)
}

function isOvertaken(error: unknown): boolean {
  return errorNumber(error) === 1180 && error instanceof Error && OVERTAKEN_WORDS.test(error.message)
}

function isLost(error: unknown): boolean {
  return (
    LOST.has(errorNumber(error)) ||
    isOverConnections(error) ||
    errorCode(error) === 'PROTOCOL_CONNECTION_LOST' ||
    isBrokenConnection(error) ||
    (error instanceof Error && LOST_WORDS.test(error.message))
  )
}

/** A connection that is one too many for its user, who is given one when others are given back. */
function isOverConnections(error: unknown): boolean {
  const number = errorNumber(error)
  if (number !== OVER_OWN_LIMIT) return number === OVER_LIMIT_OF_ALL
  return error instanceof Error && OF_CONNECTIONS.test(error.message)
}

const TEMPORARY_FULL =
  'a temporary table of the database is as large as it may be: raise tmp_disk_table_size, or look at the disk of its tmpdir'

const MEANINGS: Meaning<number>[] = [
  ['this node of the cluster takes no statements now', [...OUTSIDE]],
  ['the commit failed, as it does at a node that is cut off from its cluster meanwhile', [...IN_DOUBT]],
  ['the database is read-only', [OPTION_PREVENTS, 1792, 1836]],
  ['the disk of the database is full', [1021, FULL, 3]],
  ['the database has no connection left', [1040, OVER_LIMIT_OF_ALL]],
  ['the user of the database has reached a limit of its own', [OVER_OWN_LIMIT]],
  ['the user of the database may not do this', [1044, 1142, 1143, 1227, 1370]],
  // ER_ACCESS_DENIED_ERROR: MariaDB says that, too, of a connection without TLS where it or the user requires one.
  ['the database refuses this user or password, or a connection without TLS (ssl in the address)', [1045]],
  ['the database refuses this user or password', [1698, 1862, ...LOCKED]],
  ['the database refuses a connection without TLS (ssl in the address)', [3159]],
  ['the database does not exist', [1049]],
  ['the Tillkit tables are of another version, call storage.migrate()', [1054]],
  ['an index or a key of the Tillkit tables is gone: storage.inspect() says what makes it', [1176]],
  [`the session's character sets lack what is sent: make the pool with charset 'utf8mb4'`, [3988]],
  [TRANSACTION_ENDED, [NO_SUCH_SAVEPOINT]],
  ['a connection was given out with a transaction that was left open', [1568]],
]

/** What these say names servers, users, tables, columns and settings, and no value. */
const QUOTES_NONE = new Set([
  ...[...TRANSIENT, ...LOST, ...HELD_BY_SESSION, ...CHECKS, ...MEANINGS.flatMap(([, numbers]) => numbers)],
  ...[1005, 1030, 1036, 1041, 1046, 1048, 1050, 1051, 1071, 1118, 1146, 1175, 1193, 1235, 1264, 1298],
  ...[1317, 1364, 1406, 1451, 1452, 1461, 1615, 1709, 1814, 1820, 1930],
])

function isForAnotherServer(error: unknown): boolean {
  return OUTSIDE.has(errorNumber(error)) || isReadOnly(error)
}

function isReadOnly(error: unknown): boolean {
  return READ_ONLY.has(errorNumber(error)) && error instanceof Error && READ_ONLY_WORDS.test(error.message)
}

/** An option that is none of `read_only` keeps the server from a statement, and says its name. */
function isOfOtherOption(error: unknown): boolean {
  return errorNumber(error) === OPTION_PREVENTS && !isReadOnly(error)
}

function isOfTemporaryTable(error: unknown): boolean {
  return errorNumber(error) === FULL && error instanceof Error && TEMPORARY_WORDS.test(error.message)
}

function errorNumber(error: unknown): number {
  return Number((error as { errno?: unknown } | null)?.errno)
}
