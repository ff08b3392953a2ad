/** There is nothing to try a check on, or it may not be. The message says why. */
export class NotTried extends Error {}
