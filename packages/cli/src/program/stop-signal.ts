import type { Surroundings } from './surroundings.ts'

const STATUS = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * Aborted by SIGTERM, SIGINT, or the `stop` of the surroundings, for commands that run until they are stopped. Whoever sends
 * another signal does not want to wait: it ends the process at once.
 */
export function stopSignal({ stop }: Surroundings): { signal: AbortSignal; forget: () => void } {
  const stopping = new AbortController()
  const asked = (name: keyof typeof STATUS) => {
    if (stopping.signal.aborted) process.exit(STATUS[name])
    stopping.abort(name)
  }
  const names = Object.keys(STATUS) as (keyof typeof STATUS)[]
  for (const name of names) process.on(name, asked)
  return {
    signal: stop ? AbortSignal.any([stop, stopping.signal]) : stopping.signal,
    forget() {
      for (const name of names) process.off(name, asked)
    },
  }
}
