/** Time limits of a storage whose test is not about how fast a machine is, in seconds. */
export const PATIENT = { lockTimeoutSeconds: 120, readTimeoutSeconds: 120, writeTimeoutSeconds: 240 }
