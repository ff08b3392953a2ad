import type { Deadline } from './deadline.ts'

/** A connection by the deadline. One that comes later is given back. */
export function connectWithin<Connection extends { release(): void }>(
  deadline: Deadline,
  connecting: Promise<Connection>,
): Promise<Connection> {
  return deadline.within(connecting, () => {
    connecting.then(
      late => late.release(),
      () => {},
    )
  })
}
