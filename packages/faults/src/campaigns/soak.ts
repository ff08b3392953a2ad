import { until } from '../until.ts'
import type { Campaign } from './campaign.ts'

/** Everything, gently and for long: what a process holds does not grow with what it has done. */
export const soak: Campaign = {
  name: 'soak',
  about: 'everything gently for minutes, with a bound on the heap of each process',
  strikes: 'heaps weighed',
  need: 'any',
  rounds: 3,
  scene: form => ({ moody: 0.02, sampleEvery: form === 'short' ? 8 : 50 }),

  async trouble({ scene, form, signal, strike }) {
    await Promise.all([scene.startShop(), scene.startWorker()])
    const wanted = form === 'short' ? 12 : 60
    const samples = () => scene.entries().filter(({ what }) => what === 'heap')
    let processes = 0
    const weighed = async () => {
      await scene.progress(50)
      const each = [...Map.groupBy(samples(), entry => 'process' in entry && entry.process).values()]
      processes = each.length
      return processes >= 2 && each.every(own => own.length >= wanted)
    }
    await until(weighed, 'the heaps to be weighed', { signal, moving: () => samples().length })
    strike(processes * wanted)
  },
}
