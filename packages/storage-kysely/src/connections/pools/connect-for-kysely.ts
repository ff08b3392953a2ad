import type { Dialect } from '../../dialects/index.ts'
import { runAgain } from '../../session/transactions/run-again.ts'
import { type Deadline, withinSeconds } from '../limits/deadline.ts'

/** How long a connection may take to be had, in seconds, where more time than that may be taken for what is done on it. */
const TO_CONNECT = 10

interface Connecting<Connection> {
  connect(deadline: Deadline): Promise<Connection>
}

/**
 * A connection for what goes by way of kysely, within so many seconds at most. With a dialect a server that cannot be reached is tried
 * again until then, or the next one is: nothing has begun yet. Without, whoever asks does so.
 */
export function connectForKysely<Connection>(
  connections: Connecting<Connection>,
  seconds: number,
  dialect?: Dialect,
): Promise<Connection> {
  return withinSeconds(Math.min(seconds, TO_CONNECT), deadline => {
    const connect = () => connections.connect(deadline)
    return dialect ? runAgain(dialect, true, connect, { deadline }) : connect()
  })
}
