import { sql } from 'kysely'

/**
 * The sessions of a server, as a table: who they are and what they are at, and on MariaDB how far that has come. Nothing of their
 * statements, which may hold values. In MySQL 9 `information_schema` refuses all of it while one of them is asked for a character
 * of four bytes, so MySQL, which alone reads the longer comment, is asked by its other table.
 */
export const SESSIONS = sql`(
  select id, user, host, state, time, /*M! progress */ /*!80000 null */ as progress from information_schema.processlist
  /*!80022 where false union all
  select id, user, host, state, time, null from performance_schema.processlist */
)`
