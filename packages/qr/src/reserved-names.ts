/** Asks for the size of an image. */
export const SIZE = 'scan_code_size'

/** Proves who made the URL. */
export const SIGNATURE = 'scan_code_signature'

/** When a signed URL ends, in seconds since 1970. */
export const EXPIRES = 'scan_code_expires'

/** Parameters that say nothing of the payment itself, and are never part of its `extra`. */
export const ABOUT_THE_URL: ReadonlySet<string> = new Set([SIZE, SIGNATURE, EXPIRES])
