/** A database server that a test started for itself. It ends, and its folder goes, with the process that started it. */
export interface OwnServer {
  /** Of an empty database. */
  url: string
  /** Ends it as an administrator would, and resolves when it is gone. */
  stop(): Promise<void>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** Starts it again, on the same port and with the same data. Rejects with what it said where it does not start. */
  start(): Promise<void>
  /** Whether it is there: one may also end by itself, on a full disk say. */
  running(): boolean
  /** Stops it and deletes its data. */
  remove(): Promise<void>
}
