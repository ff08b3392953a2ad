/** An address of a host name. */
export interface HostAddress {
  address: string
  /** 4 or 6. */
  family: number
}

/** All addresses of a host name; what it waits for is dropped once the signal is aborted. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<HostAddress[]>

/** A name that could not be looked up, which says nothing of whether there is such a name. */
export function lookupFailed(cause: unknown): Error {
  return Object.assign(new Error('host name lookup failed', { cause }), { code: 'EAI_AGAIN' })
}
