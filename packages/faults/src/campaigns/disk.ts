import { until } from '../until.ts'
import type { Campaign } from './campaign.ts'

/** A disk that is full, and then has space again: nothing that was acknowledged is lost, and all goes on. */
export const disk: Campaign = {
  name: 'disk',
  about: 'a full disk, then space again',
  strikes: 'filled',
  need: 'small disk',
  rounds: 10,

  async trouble({ ground, scene, random, form, signal, strike }) {
    const { disk, server } = ground
    if (!disk) throw new Error('there is no disk of our own')
    await Promise.all([scene.startShop(), scene.startShop(), scene.startWorker()])
    const { crew } = scene
    for (let times = form === 'short' ? 1 : 3; times > 0; times--) {
      await scene.progress(random.whole(20, 60))
      const enough = crew.count().refused + random.whole(1, 5)
      await until(
        () => {
          // What a server gives back meanwhile is taken too.
          disk.fill()
          return crew.count().refused >= enough
        },
        'the disk to be missed',
        { signal, moving: () => crew.count().done },
      )
      strike()
      disk.free()
      const goal = crew.count().done + 30
      const goesOn = async () => {
        // A server ends itself where it cannot write its log, now or in a while; whoever looks after it starts it again.
        if (server && !server.running()) await server.start()
        return crew.count().done >= goal
      }
      await until(goesOn, 'work to go on', { signal, moving: () => crew.count().done })
      crew.mourn()
    }
  },
}
