import { memoryStorage } from '../../memory/index.ts'
import type { Storage } from '../../storage.ts'
import { takesLeases } from '../deliveries/leased-outcomes.ts'
import { sceneOf, unique } from '../scene.ts'
import type { Expect, OpenStorage, TestRunner } from '../test-runner.ts'
import { type Player, playerOf } from './player.ts'
import { arbitrarySteps, type FastCheck, type Step } from './steps.ts'

/** What `storageMatchesModel` takes. */
export interface PropertyOptions {
  /** fast-check, handed in so that it is no dependency. */
  fc: FastCheck
  /** Makes the store whose answers are right: `memoryStorage` when left out. */
  model?: () => Storage
  /** How many sequences are tried: 100 when left out. */
  runs?: number
}

/**
 * Drives random sequences of calls against a store and a model of it, and expects the same answer to each call and the
 * same of everything kept at the end. What fails is shrunk to a short sequence. All sequences run over one store from
 * `open`, each with merchants of its own.
 */
export function storageMatchesModel(
  { describe, test, expect }: TestRunner,
  open: OpenStorage,
  { fc, model = memoryStorage, runs = 100 }: PropertyOptions,
): void {
  describe('random sequences of calls', () => {
    test('are answered as the model answers them', async () => {
      const right = model()
      const { storage, close } = await open()
      const scenes = [right, storage].map(sceneOf)
      const taking = await Promise.all(scenes.map(takesLeases))
      // What was left due in one store the other knows nothing of.
      await Promise.all(scenes.map(scene => scene.leaseLeftovers()))
      const options = { takesLeases: taking.every(Boolean) }
      const property = fc.asyncProperty(arbitrarySteps(fc), async steps => {
        const run = unique()
        const [expected, actual] = [
          await playerOf(right, run, options),
          await playerOf(storage, run, options),
        ]
        try {
          await play(steps, expected, actual, expect)
        } finally {
          await Promise.all([expected.leave(), actual.leave()])
        }
      })
      try {
        await fc.assert(property, { numRuns: runs })
      } finally {
        await close()
      }
    })
  })
}

async function play(steps: Step[], expected: Player, actual: Player, expect: Expect): Promise<void> {
  for (const step of steps) {
    const answer = await expected.take(step)
    expect({ step, answer: await actual.take(step) }).toEqual({ step, answer })
  }
  expect(await actual.everything()).toEqual(await expected.everything())
}
