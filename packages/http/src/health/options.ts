import { validate } from '@tillkit/domain'
import type { Logger, Till } from '@tillkit/till'
import { z } from 'zod'
import { loggerOption } from '../logger-option.ts'
import { tillArgument } from '../merchant-api-options.ts'

/**
 * Looks at something of the host's. It is well unless it answers `false`, throws, rejects, or has not answered within a
 * second.
 */
export type HealthCheck = () => unknown

/** What `healthEndpoints` takes beside the till. */
export interface HealthEndpointsOptions {
  /**
   * Whether this process is to deliver webhooks: `true` is not ready without a worker, `false` does not look at it. Left out,
   * one that was started is looked at.
   */
  worker?: boolean
  /** From how many seconds on a worker that does not get on is too far behind: 600. */
  behindSeconds?: number
  /** Checks of the host's own, by names of up to 64 of `A-Za-z0-9_-`, twenty at most. */
  checks?: Record<string, HealthCheck>
  /** Once it is aborted the process is not ready any more: for a stop that lets a load balancer know before the server closes. */
  signal?: AbortSignal
  /** Hears, once, of each check that begins to fail or is well again; the till's own when left out, `false` is silence. */
  logger?: Pick<Logger, 'warn' | 'error'> | false
}

/** The names of the checks that there are always. */
const TAKEN = ['process', 'database', 'migrations', 'worker']

function wrongName(name: string): string | null {
  if (TAKEN.includes(name)) return 'is a check that there is already'
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name) ? null : 'must have a name of 1 to 64 of A-Za-z0-9_-'
}

const healthOptions = z.strictObject({
  worker: z.boolean().optional(),
  behindSeconds: z
    .number()
    .positive('must be a number of seconds above 0')
    .max(31_536_000, 'must be a number of seconds up to 31536000, a year')
    .default(600),
  checks: z
    .record(
      z.string(),
      z.custom<HealthCheck>(value => typeof value === 'function', 'must be a function'),
    )
    .superRefine((checks, { addIssue }) => {
      for (const name of Object.keys(checks)) {
        const message = wrongName(name)
        if (message !== null) addIssue({ code: 'custom', path: [name], message })
      }
    })
    .refine(checks => Object.keys(checks).length <= 20, 'must be at most 20 functions')
    .default({}),
  signal: z.custom<AbortSignal>(value => value instanceof AbortSignal, 'must be an AbortSignal').optional(),
  logger: loggerOption.optional(),
})

/** The options as the endpoints work with them. */
export type CheckedHealthOptions = z.output<typeof healthOptions>

/** Checks all that `healthEndpoints` is given. Throws `invalid_input` with the path of the first that is wrong. */
export function checkHealthOptions(till: Till, options: HealthEndpointsOptions): CheckedHealthOptions {
  validate(tillArgument, till, 'till')
  return validate(healthOptions, options, 'the options of healthEndpoints')
}
