import type { Till } from '@tillkit/till'
import type { CheckedHealthOptions } from './options.ts'
import { type State, sharedLook } from './shared-look.ts'

/** How each thing is, by its name. */
export type States = Record<string, State>

const NO_ANSWER = 'no answer within 1 s'

/**
 * Looks at the database, the migrations and what is the host's: what costs something, and is shared by all who ask. What was
 * thrown last is put into `errors`.
 */
export function createLooks(
  till: Pick<Till, 'migrated'>,
  { checks }: Pick<CheckedHealthOptions, 'checks'>,
  errors: Map<string, unknown>,
): () => Promise<States> {
  const failed = (check: string, error: unknown): State => {
    errors.set(check, error)
    return { ok: false, state: error === undefined ? NO_ANSWER : 'failed' }
  }

  const database = sharedLook<States>(
    async () => {
      const migrated = await till.migrated()
      const migrations = migrated ? { ok: true, state: 'done' } : { ok: false, state: 'missing' }
      return { database: { ok: true, state: 'answers' }, migrations }
    },
    error => ({ database: failed('database', error), migrations: { ok: false, state: 'unknown' } }),
  )
  const own = Object.entries(checks).map(([name, check]) =>
    sharedLook<States>(
      async () => {
        const well = (await check()) !== false
        return { [name]: well ? { ok: true, state: 'ok' } : { ok: false, state: 'failing' } }
      },
      error => ({ [name]: failed(name, error) }),
    ),
  )
  return async () => {
    const found = await Promise.all([database(), ...own.map(look => look())])
    return Object.assign({}, ...found)
  }
}

/** How the worker is; null where nobody wants to know. */
export function workerState(
  till: Pick<Till, 'standing'>,
  { worker: wanted, behindSeconds }: Pick<CheckedHealthOptions, 'worker' | 'behindSeconds'>,
): State | null {
  if (wanted === false) return null
  const { state, secondsBehind, secondsStill } = till.standing().worker
  if (state === 'off') return wanted ? { ok: false, state: 'not running' } : { ok: true, state: 'not here' }
  if (state === 'stopping') return { ok: false, state: 'stopping' }
  // However much is due, a worker that gets on is well: slow receivers are no fault of this process.
  if (secondsStill < behindSeconds) return { ok: true, state: 'running' }
  return { ok: false, state: `behind by ${Math.floor(secondsBehind)} s` }
}
