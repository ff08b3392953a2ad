import { setTimeout as sleep } from 'node:timers/promises'
import type { BankAnswer } from '../processes/bank.ts'
import type { Orders } from '../processes/program.ts'
import { randomFrom } from '../random.ts'
import type { Campaign } from './campaign.ts'
import { pay } from './customer.ts'

/** Customers that are at it at the same time. */
const LANES = 4

/** A bank that cannot be relied on, and hosts that die between charge and record: each payment is charged once or not. */
export const bank: Campaign = {
  name: 'bank',
  about: 'a bad bank behind the checkout, impatient customers, and SIGKILL of hosts',
  strikes: 'killed',
  need: 'any',
  rounds: 10,

  async trouble({ scene, random, form, signal, strike }) {
    const { crew, hosts, merchants, journal } = scene
    const teller = await crew.start<Orders>('bank', {})
    const bankUrl = `http://127.0.0.1:${teller.port}`
    await Promise.all([scene.startHost(bankUrl), scene.startHost(bankUrl), scene.startWorker()])
    const origins = () => hosts.filter(host => host.alive()).map(({ port }) => `http://127.0.0.1:${port}`)

    let [closing, attempts] = [false, 0]
    const lane = async (_: unknown, number: number) => {
      const own = randomFrom(random.whole(0, 2 ** 30) + number)
      while (!closing) {
        const { id: merchantId, scanCode } = own.pick(merchants)
        const attempt = `customer-${++attempts}`
        await pay(attempt, { merchantId, scanCode }, { origins, random: own, journal, signal })
      }
    }
    const customers = Promise.all(Array.from({ length: LANES }, lane))
    // Whoever fails is heard of below.
    customers.catch(() => {})

    let next = scene.startHost(bankUrl)
    for (let kills = form === 'short' ? 2 : 8; kills > 0; kills--) {
      await scene.progress(random.whole(10, 40))
      await sleep(random.whole(0, 50))
      await random.pick(hosts.filter(host => host.alive())).kill()
      strike()
      await next
      next = scene.startHost(bankUrl)
    }
    await next
    await scene.progress(20)
    closing = true
    await customers

    scene.lookup = async ({ merchantId, id }) => {
      const answer = await fetch(`${bankUrl}/${merchantId}:${id}`)
      const { status } = (await answer.json()) as BankAnswer
      // No host is left that could still ask: what the bank has not heard of, it never will.
      return status === 'unknown' ? { status: 'error', failure: 'never_charged' } : { status }
    }
  },
}
