import { type Finding, findingsOf } from '@tillkit/domain'

const { ok, warning, problem } = findingsOf('connections')

/** Whether the pools of a few processes more would be let in. */
export function connectionsLeft(found: {
  /** By the server, but for administrators. */
  allowed: number
  used: number
  pool: number
  setting: string
}): Finding[] {
  const { allowed, used, pool, setting } = found
  const says = `The server allows ${allowed} connections, ${used} are in use, and the pool of a process has up to ${pool}`
  const advice = `Raise ${setting}, put a pooler between, or hand in a pool with a smaller maximum.`
  if (pool > allowed) return [problem(`${says}: it cannot have them.`, advice)]
  if (allowed - used < pool) return [warning(`${says}: there is no room for another process.`, advice)]
  return [ok(`${says}.`)]
}
