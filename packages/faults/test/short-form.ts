import { describe, expect, test } from 'vitest'
import { CAMPAIGNS } from '../src/campaigns/index.ts'
import { ENGINES } from '../src/engines/address.ts'
import { run } from '../src/run.ts'
import { Unavailable } from '../src/servers/database.ts'

const NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL', mysql: 'MariaDB' }
const MINUTES = 60_000

/**
 * One small round of a campaign over each engine. What cannot be had is skipped by name; where `CI` is true it fails
 * instead, so that nothing goes untested unseen.
 */
export function shortForm(name: string): void {
  const campaign = CAMPAIGNS.find(one => one.name === name)
  if (!campaign) throw new Error(`there is no campaign ${name}`)
  describe(campaign.about, () => {
    for (const engine of ENGINES) {
      const reason = campaign.notFor?.[engine]
      if (reason !== undefined) continue
      test(NAMES[engine], { timeout: 15 * MINUTES }, async context => {
        const { signal } = context
        try {
          const result = await run({
            ...{ engine, campaign, rounds: 1, seed: 1, form: 'short', given: true, signal },
            keep: process.env.TILLKIT_FAULTS_JOURNALS,
          })
          expect(result.violations).toEqual([])
          expect(result.strikes).toBeGreaterThan(0)
          expect(result.acknowledged).toBeGreaterThan(0)
        } catch (error) {
          if (!(error instanceof Unavailable) || process.env.CI === 'true') throw error
          context.skip(`${NAMES[engine]}: ${error.message}`)
        }
      })
    }
  })
}
