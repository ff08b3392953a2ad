import { describe } from 'vitest'
import { citusUrl } from './citus.ts'

/**
 * Describes tests over a Citus cluster, where `TILLKIT_CITUS_URL` names its coordinator. Elsewhere they are reported as
 * skipped, by name, and `CI` does not make them fail: no package brings Citus.
 */
export function overCitus(define: () => void): void {
  if (citusUrl === undefined) describe.skip('Citus (TILLKIT_CITUS_URL names no coordinator)', define)
  else describe('Citus', define)
}
