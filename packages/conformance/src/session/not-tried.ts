/** There is nothing to try a check on, or it may not be. The message says why. */
export class NotTried extends Error {}

/** The run came to its end before. */
export class CutShort extends NotTried {}
