import { setTimeout as sleep } from 'node:timers/promises'
import type { Campaign } from './campaign.ts'

/** A shop that dies at any moment: what it was told is there, and nothing is there by half. */
export const shops: Campaign = {
  name: 'shops',
  about: 'SIGKILL of processes that start and resolve payments',
  strikes: 'killed',
  need: 'any',
  rounds: 20,

  async trouble({ scene, random, form, strike }) {
    await Promise.all([scene.startShop(), scene.startShop(), scene.startWorker()])
    let next = scene.startShop()
    for (let kills = form === 'short' ? 3 : 10; kills > 0; kills--) {
      await scene.progress(random.whole(5, 40))
      await sleep(random.whole(0, 30))
      await random.pick(scene.shops.filter(shop => shop.alive())).kill()
      strike()
      await next
      next = scene.startShop()
    }
    await next
    await scene.progress(20)
  },
}
