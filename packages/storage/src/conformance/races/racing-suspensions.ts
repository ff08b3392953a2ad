import type { Checks } from '../capability.ts'
import { codeOf } from '../merchants/suspensions.ts'
import { aPayment, at, EVERYTHING, refusal, type Scene } from '../scene.ts'
import { idsHaveNoGap, oneTo, times } from './race.ts'

const ROUNDS = 6

export function racingSuspensions({ test, expect }: Checks): void {
  /** Starts by several callers, while `suspend` is called: what was recorded when it resolved is all that ever is. */
  const raced = async (scene: Scene, id: string, scanCode: string, suspend: () => Promise<unknown>) => {
    const { storage } = scene
    let refused = 0
    const starting = times(8, async n => {
      // Beside those under way already, one that begins as the suspension does.
      for (let m = 0; m < 8; m++) {
        const fields = { scanCode, strict: n === 7, attemptKey: n % 2 === 0 ? null : `${id} ${n} ${m}` }
        const answer = await refusal(storage.payments.start(aPayment(id, fields), at(m)))
        if (answer === 'conflict') refused += 1
        else if (answer !== 'none') throw new Error(`refused with ${answer}`)
      }
    })
    await suspend()
    const { total } = await storage.payments.list(id, {}, EVERYTHING)
    await starting
    const after = await storage.payments.list(id, {}, EVERYTHING)
    expect(after.total).toBe(total)
    expect(after.items.map(({ id }) => id)).toEqual(oneTo(total).toReversed())
    expect(refused).toBe(64 - total)
    idsHaveNoGap(expect, after.items)
  }

  test('starts beside the suspension of their merchant: none is recorded once it has resolved', async scene => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await scene.merchant()
      await raced(scene, id, 'till-1', () => scene.storage.merchants.suspend(id, at(0)))
    }
  })

  test('starts beside the suspension of their scan code: none is recorded once it has resolved', async scene => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await scene.merchant()
      const code = await codeOf(scene, id)
      await raced(scene, id, code, () => scene.storage.scanCodes.suspend(code, at(0)))
    }
  })

  test('starts on other scan codes meanwhile are recorded, each once', async scene => {
    const { storage } = scene
    const { id } = await scene.merchant()
    const [code, other] = [await codeOf(scene, id), await codeOf(scene, id)]
    const starting = times(40, n => scene.start(id, { scanCode: other, attemptKey: n % 2 ? null : `${n}` }))
    for (let n = 0; n < 5; n++) {
      await storage.scanCodes.suspend(code, at(n))
      await storage.scanCodes.resume(code)
    }
    idsHaveNoGap(expect, await starting)
  })
}
