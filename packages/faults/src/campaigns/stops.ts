import { setTimeout as sleep } from 'node:timers/promises'
import type { Campaign } from './campaign.ts'
import { LEASE_SECONDS } from './scene.ts'

/** Processes that stand still with locks and leases in their hands, and go on as if nothing had been. */
export const stops: Campaign = {
  name: 'stops',
  about: 'SIGSTOP and SIGCONT of processes that hold locks and leases',
  strikes: 'stopped',
  need: 'any',
  rounds: 10,

  async trouble({ scene, random, form, strike }) {
    const cast = [scene.startShop, scene.startShop, scene.startWorker, scene.startWorker]
    await Promise.all(cast.map(start => start()))
    for (let times = form === 'short' ? 2 : 6; times > 0; times--) {
      await scene.progress(random.whole(10, 60))
      await sleep(random.whole(0, 30))
      const stopped = [random.pick(scene.shops), random.pick(scene.workers)]
      for (const one of stopped) one.stand()
      // The fault itself: longer than the lease, or not quite.
      await sleep(random.whole(500, LEASE_SECONDS * 1500))
      for (const one of stopped) one.goOn()
      strike(stopped.length)
    }
    await scene.progress(20)
  },
}
