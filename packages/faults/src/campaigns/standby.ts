import { setTimeout as sleep } from 'node:timers/promises'
import type { Campaign } from './campaign.ts'

/** A server that dies for good while another one has all that it acknowledged, and takes over. */
export const standby: Campaign = {
  name: 'standby',
  about: 'kill -9 of a database server whose synchronous standby takes over',
  strikes: 'taken over',
  need: 'standby',
  notFor: {
    sqlite: 'SQLite has no server: what dies there is a process, see shops',
    mysql: 'only PostgreSQL is tried with a standby',
  },
  rounds: 5,

  async trouble({ ground, scene, random, form, strike }) {
    const pair = ground.pair?.()
    if (!pair) throw new Error('there is no standby')
    await Promise.all([scene.startShop(), scene.startShop(), scene.startWorker()])
    await scene.progress(random.whole(40, form === 'short' ? 80 : 400))
    await pair.primary.kill()
    await sleep(random.whole(0, 1000))
    await pair.standby.promote()
    strike()
    await scene.progress(form === 'short' ? 40 : 200)
  },
}
