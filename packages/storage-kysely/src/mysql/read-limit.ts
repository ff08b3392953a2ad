import type { Dialect } from '../dialects/dialect.ts'

/** ER_STATEMENT_TIMEOUT of MariaDB and ER_QUERY_TIMEOUT of MySQL. */
export const OVER_TIME = [1969, 3024]

/**
 * These servers do not look whether a client is still there: a read that was given up would go on, and enough of those fill the server. So
 * each says how long it may take, and each server reads but one of the two: a setting for this statement alone, and what MySQL takes after the
 * first `select`. It costs no round trip; a setting of the session would on MariaDB end writes as well.
 */
export const READ_LIMIT: NonNullable<Dialect['readLimit']> = {
  limited(query, seconds) {
    const milliseconds = Math.ceil(seconds * 1000)
    const ofMariadb = `/*M!100300 set statement max_statement_time = ${milliseconds / 1000} for */`
    const ofMysql = `select /*+ max_execution_time(${milliseconds}) */`
    return { ...query, sql: `${ofMariadb} ${query.sql.replace(/\bselect\b/, ofMysql)}` }
  },
  isMet: error => OVER_TIME.includes(Number((error as { errno?: unknown } | null)?.errno)),
}
