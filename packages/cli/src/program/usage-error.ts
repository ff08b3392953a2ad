/** A command line that cannot be run as it is; `message` is a sentence that names the flag. */
export class UsageError extends Error {}

/** What was asked for cannot be done; `message` is a sentence that says why. */
export class Refused extends Error {}
