import { setTimeout as sleep } from 'node:timers/promises'
import { endConnections } from '../engines/end-connections.ts'
import { until } from '../until.ts'
import type { Campaign } from './campaign.ts'

/** Connections that an administrator ends: no process ends with them, and each call is done, not done, or unknown. */
export const connections: Campaign = {
  name: 'connections',
  about: 'connections ended from the server side (pg_terminate_backend, KILL)',
  strikes: 'ended',
  need: 'any',
  notFor: { sqlite: 'SQLite has no connections that somebody else could end' },
  rounds: 20,

  async trouble({ scene, random, form, signal, strike }) {
    await Promise.all([scene.startShop(), scene.startShop(), scene.startWorker()])
    for (let strikes = form === 'short' ? 4 : 20; strikes > 0; strikes--) {
      await scene.progress(random.whole(5, 40))
      await sleep(random.whole(0, 20))
      let ended = 0
      await until(
        async () => {
          ended += await endConnections(scene.address, () => random.chance(0.5)).catch(() => 0)
          return ended > 0
        },
        'a connection to end',
        { signal },
      )
      strike(ended)
    }
    await scene.progress(20)
  },
}
