import type { Kysely } from 'kysely'
import type { ClusterNode } from '../citus/nodes/cluster-node.ts'
import type { Shard } from '../citus/shards/shard.ts'
import type { Locks } from '../connections/turns/merchant-line.ts'
import type { LongRead } from '../connections/turns/read-turns.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Tables } from '../schema/tables.ts'
import type { Reads, Session } from './session.ts'
import type { Doubt } from './transactions/doubt.ts'

/** What every operation of the store works with. */
export interface Database {
  /** Writes queries, with plain table names. Never runs them. */
  builder: Kysely<Tables>
  /** Runs one query that reads. */
  read: Reads
  /**
   * Runs `work` as one transaction, all of it or none, and again from its start where the engine says that it lost to
   * another transaction. So `work` must change nothing outside of its session.
   */
  write<Result>(work: (session: Session) => Promise<Result>, options?: WriteOptions): Promise<Result>
  /**
   * Runs at its turn a call that reads what may take long of one merchant, over however many of these; left out where none waits for one, and
   * in a host's transaction.
   */
  atReadTurn?:
    | (<Result>(merchantId: string, call: () => Promise<Result>, kind?: LongRead) => Promise<Result>)
    | undefined
  /** Whether a write would have to wait for a connection now; left out where none waits for one. */
  writesWait?: (() => boolean) | undefined
  /**
   * How long a statement by itself has to say that it waits for a lock, in milliseconds, where nobody else does: see `andLimitedTo`. Left out
   * where somebody does.
   */
  statementLimit?: number | undefined
  /** At which node a merchant's rows are, as far as that is known; left out where all are at one. */
  nodeOf?: ((merchantId: string) => ClusterNode | undefined) | undefined
  /** The same where that is certain at this moment; left out where nothing is sent to a node by itself. */
  certainNodeOf?: ((merchantId: string) => ClusterNode | undefined) | undefined
  /** Whether that node is still a node of the cluster, and that is certain too. */
  isCertain?: ((node: ClusterNode) => boolean) | undefined
  /** In which shard they are, where its tables are known; left out where all are in the same tables. */
  shardOf?: ((merchantId: string) => Shard | undefined) | undefined
  /** True where what is about one merchant's rows may be sent to the tables of their shard, which are planned as any tables are. */
  usesShards?: boolean
  /** What runs statements for one merchant's rows on a shorter way than these do; left out where there is none. */
  at?: ((merchantId: string) => Pick<Database, 'read' | 'write'> | undefined) | undefined
  dialect: Dialect
  /** True where writes of one merchant that wait together share a transaction: not in a host's, which is the host's own. */
  groups: boolean
  /** True in a host's transaction, whose isolation level is the host's own. */
  ofHost: boolean
  counting: Counting
  /** What an inspection works with; left out in a host's transaction, which a statement that fails may undo. */
  whole?: Whole | undefined
}

/** The database as a whole. */
export interface Whole {
  /** Sends statements about anything. */
  db: Kysely<unknown>
  /** The same of Tillkit's tables, by their plain names. */
  tables: Kysely<Tables>
  tablePrefix: string
  schema: string | undefined
  /** How many connections the pool makes at most, as far as anyone knows. */
  poolSize(): number
}

/** How outcomes are counted ahead: see `countBlocks`. */
interface Counting {
  /** The ids that are counted as one. */
  blockSize: number
  /** False in a host's transaction, which is the host's own, and at a replica: nothing is written there that was not asked for. */
  ahead: boolean
}

export interface WriteOptions {
  /** `work` sends one statement and no more: where that is a transaction by itself, it costs one round trip. */
  statement?: boolean
  /** Done twice, it is as if done once: it may be run again when nobody knows whether it took place. */
  repeatable?: boolean
  /** Is told where one of its tries may have taken place, for what is done once it is found done. */
  doubt?: Doubt
  /** Whose lock it may wait for: writes of one merchant take turns. */
  merchantId?: string
  /** What it may wait for: the merchant's own lock, unless it is only rows that it writes. */
  locks?: Locks
  /**
   * With its merchant's lock held it looks at what is there before it adds to it. A duplicate all the same came from a server
   * that shares no locks with this one's, and the work is run again; of any other work a duplicate is the answer.
   */
  looksFirst?: boolean
  /** It calls a function that has its merchant's shard stay what it is, where the tables are distributed: see `holdingShard`. */
  holdsShard?: boolean
  /** It passes by what is locked, and need not be told how long to wait. */
  skipsLocked?: boolean
  /** It says by itself how long it waits, where there is a `statementLimit`, or passes by the rows that are locked. */
  saysLimit?: boolean
  /** How long it waits for locks, in milliseconds, where the engine can be told so: it is not run again for one. */
  lockWait?: number
  /** Since when the write has been waited for, by `performance.now()`, where that is not from now on. */
  since?: number | undefined
}
