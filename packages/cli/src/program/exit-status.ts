/** With what a command ends: part of what the README promises. */
export const EXIT = {
  /** It was done. */
  done: 0,
  /** It was refused, what was asked for is not there, or a check found something. */
  refused: 1,
  /** The command line, the environment or the file of settings is wrong. */
  usage: 2,
  /** The database cannot be reached, is too busy, or cannot be used as it is. */
  database: 3,
  /** A fault of tillkit itself. */
  fault: 70,
} as const
