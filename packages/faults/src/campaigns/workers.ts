import { setTimeout as sleep } from 'node:timers/promises'
import type { Campaign } from './campaign.ts'

/** A worker that dies at any moment: what it had in flight is sent by another, once its lease is over. */
export const workers: Campaign = {
  name: 'workers',
  about: 'SIGKILL of webhook workers while shops take payments',
  strikes: 'killed',
  need: 'any',
  rounds: 20,

  async trouble({ scene, random, form, strike }) {
    await Promise.all([scene.startShop(), scene.startWorker(), scene.startWorker()])
    let next = scene.startWorker()
    for (let kills = form === 'short' ? 3 : 10; kills > 0; kills--) {
      await scene.progress(random.whole(5, 40))
      await sleep(random.whole(0, 30))
      await random.pick(scene.workers.filter(worker => worker.alive())).kill()
      strike()
      await next
      next = scene.startWorker()
    }
    await next
    await scene.progress(20)
  },
}
