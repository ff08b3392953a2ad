/** A node of a cluster that has merchants' rows, as its coordinator knows it. One object for each, so that it can be told apart. */
export interface ClusterNode {
  host: string
  port: number
  /** True where it knows of all tables, so that calls may come to it as well as by way of the coordinator. */
  answers: boolean
}

/**
 * SQL for text that no other server has, and not this one after its next start either: a copy of a server's files begins
 * anew too. In a query of one merchant's rows it is that of the node that has them.
 */
export const IDENTITY = `(pg_control_system()).system_identifier::text || ' ' || extract(epoch from pg_postmaster_start_time())::text`
