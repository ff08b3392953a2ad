import type { Till } from '@tillkit/till'
import type { Adapter, Certificate } from './adapter.ts'
import { api } from './capabilities/api.ts'
import { bodies } from './capabilities/bodies.ts'
import { costlyBodies } from './capabilities/costly-bodies.ts'
import { departures } from './capabilities/departures.ts'
import { errors } from './capabilities/errors.ts'
import { methods } from './capabilities/methods.ts'
import { mounting } from './capabilities/mounting.ts'
import { parsedBodies } from './capabilities/parsed-bodies.ts'
import { pieces } from './capabilities/pieces.ts'
import { proxies } from './capabilities/proxies.ts'
import { responses } from './capabilities/responses.ts'
import { targets } from './capabilities/targets.ts'
import { type Checks, capability } from './capability.ts'
import type { TestRunner } from './test-runner.ts'

/** What the suite cannot make for itself. */
export interface Surroundings {
  /** For `localhost`; it may be self-signed. */
  certificate: Certificate
  /** A till over a fresh, empty store. */
  openTill: () => Till
}

/**
 * Checks that an adapter converts requests and responses, and does nothing else, over real sockets and real TLS. It is
 * handed the test runner, and the adapter in a host of its framework.
 *
 *     adapterConformance({ describe, test, expect }, { serve, errors: 'host', targets: 'all', trustsProxies: true }, {
 *       certificate,
 *       openTill: () => createTill({ storage: memoryStorage() }),
 *     })
 */
export function adapterConformance(
  runner: TestRunner,
  adapter: Adapter,
  { certificate, openTill }: Surroundings,
): void {
  const check = (name: string, define: (checks: Checks) => void) =>
    capability(name, runner, adapter, certificate, define)
  check('targets', targets)
  check('mounting', mounting)
  check('methods', methods)
  check('responses', responses)
  check('responses in pieces', pieces)
  check('bodies', bodies)
  check('costly bodies', costlyBodies)
  check('parsed bodies', parsedBodies)
  check('errors', errors)
  check('clients that go away', departures)
  check('proxies', proxies)
  check('the API', checks => api(checks, openTill))
}
