import { setTimeout as sleep } from 'node:timers/promises'
import { TillError } from '@tillkit/till'
import { refusalOf } from '../journal/refusal.ts'
import { until } from '../until.ts'
import type { Scene } from './scene.ts'

/**
 * Has everyone finish, ends all periods, reconciles what is pending and waits until every webhook is delivered. Throws
 * `StandsStill` where that does not come about.
 */
export async function rest(scene: Scene, signal: AbortSignal): Promise<void> {
  const { till, crew, shops, hosts, workers, journal, merchants } = scene

  /** What a host would do too: where the database fails, it is asked again. */
  async function insist<Answer>(what: string, ask: () => Promise<Answer>): Promise<Answer> {
    const answers: Answer[] = []
    const done = async () => {
      try {
        answers.push(await ask())
      } catch (error) {
        if (error instanceof TillError) throw error
        journal.write({ what: 'refused', call: what, ...refusalOf(error) })
        await sleep(100)
      }
      return answers.length > 0
    }
    await until(done, what, { signal })
    return answers[0] as Answer
  }

  await Promise.all([...shops, ...hosts].map(one => one.alive() && one.stop()))
  for (const { id } of merchants) {
    await insist('the last cash up', () => till.cashUps.create(id, { idempotencyKey: 'the last one' }))
  }
  // Whoever is alive to ask for an outcome is gone: all that is pending is nobody's.
  const reconciled = async () => {
    await insist('to reconcile', () => till.payments.reconcile(scene.lookup, { olderThanSeconds: 0 }))
    const { items } = await insist('what is unresolved', () =>
      till.payments.unresolved({ olderThanSeconds: 0 }),
    )
    const left = merchants.map(({ id }) =>
      insist('a list', () => till.payments.list(id, { filter: { status: ['pending'] }, perPage: 1 })),
    )
    return items.length === 0 && (await Promise.all(left)).every(({ total }) => total === 0)
  }
  await until(reconciled, 'the last outcomes', { signal })

  if (!workers.some(worker => worker.alive())) await scene.startWorker()
  let left = 0
  const delivered = async () => {
    left = (await insist('the counts', () => till.webhooks.counts())).pending
    if (left > 0) await sleep(50)
    return left === 0 || crew.casualties.length > 0
  }
  await until(delivered, 'the last webhooks', { signal, moving: () => `${left} ${crew.count().done}` })
  crew.mourn()
  await Promise.all(workers.map(worker => worker.alive() && worker.stop()))
}
