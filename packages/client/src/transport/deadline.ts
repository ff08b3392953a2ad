/** Until when a call may take, and who may end it sooner. */
export interface Deadline {
  /** Milliseconds that are left; 0 or less when it has passed. */
  left(): number
  signal: AbortSignal | undefined
}

const now = () => globalThis.performance.now()

export function deadlineIn(seconds: number, signal: AbortSignal | undefined): Deadline {
  const end = now() + seconds * 1000
  return { left: () => end - now(), signal }
}

/** Resolves after so many milliseconds; rejects with the signal's reason when it is aborted. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
