import { setTimeout as sleep } from 'node:timers/promises'
import type { Campaign } from './campaign.ts'

/** A server that dies or is restarted: calls fail or wait, what was acknowledged stays, and all goes on by itself. */
export const restarts: Campaign = {
  name: 'restarts',
  about: 'kill -9 and fast restarts of the database server',
  strikes: 'restarted',
  need: 'own server',
  notFor: { sqlite: 'SQLite has no server: what dies there is a process, see shops' },
  rounds: 10,

  async trouble({ ground, scene, random, form, strike }) {
    const { server } = ground
    if (!server) throw new Error('there is no server of our own')
    await Promise.all([scene.startShop(), scene.startShop(), scene.startWorker()])
    for (let restarts = form === 'short' ? 2 : 5; restarts > 0; restarts--) {
      await scene.progress(random.whole(20, 100))
      if (random.chance(0.6)) await server.kill()
      else await server.stop()
      await sleep(random.whole(0, 300))
      await server.start()
      strike()
    }
    await scene.progress(50)
  },
}
