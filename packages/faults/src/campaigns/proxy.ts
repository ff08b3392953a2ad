import { byPort, serverOf } from '../engines/address.ts'
import type { Random } from '../random.ts'
import { type Fault, startProxy } from '../servers/proxy.ts'
import { until } from '../until.ts'
import type { Campaign } from './campaign.ts'

const KINDS = [
  'cut before a commit',
  'cut at the answer of a commit',
  'cut anywhere',
  'delay',
  'swallow',
] as const

function faultOf(kind: (typeof KINDS)[number], random: Random): Fault {
  if (kind === 'cut anywhere') return { kind, pieces: random.whole(0, 30) }
  if (kind === 'delay') return { kind, milliseconds: random.whole(10, 300) }
  return { kind }
}

/** A bad path to the database: what was answered is there once, what was not is there once or not at all. */
export const proxy: Campaign = {
  name: 'proxy',
  about: 'a proxy that cuts at the answer of COMMIT and anywhere, delays and swallows',
  strikes: 'struck',
  need: 'any',
  notFor: { sqlite: 'SQLite has no network to fail' },
  rounds: 10,

  async trouble({ scene, random, form, signal, strike }) {
    const path = await startProxy(serverOf(scene.address))
    try {
      const distant = byPort(scene.address, path.port)
      const cast = [scene.startShop, scene.startShop, scene.startWorker]
      await Promise.all(cast.map(start => start(distant)))
      const faults = Array.from({ length: form === 'short' ? 1 : 3 }, () => KINDS).flat()
      for (const kind of faults) {
        await scene.progress(random.whole(5, 30))
        const before = path.struck()
        path.arm(faultOf(kind, random))
        await until(() => path.struck() > before, `the proxy to ${kind}`, { signal })
        if (kind === 'delay') await scene.progress(5)
        path.heal()
        strike(path.struck() - before)
      }
      await scene.progress(30)
      // Everyone ends by way of the proxy, whatever it still swallows.
      await Promise.all([...scene.shops, ...scene.workers].map(one => one.stop()))
    } finally {
      await path.close()
    }
  },
}
