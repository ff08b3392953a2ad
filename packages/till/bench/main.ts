import { parseArgs } from 'node:util'
import { type Contender, dropSchemas, graphileWorker, pgBoss, tillkit } from './contenders.ts'
import { countingReceiver } from './receiver.ts'

const { values } = parseArgs({
  options: { count: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '3' } },
})
const count = Number(values.count)
const connectionString = process.env.TILLKIT_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test'
const receivers = await Promise.all(Array.from({ length: 8 }, countingReceiver))
const urls = receivers.map(({ url }) => url)

async function deliveriesASecond(contender: Contender): Promise<number> {
  await contender.fill(count)
  const all = Promise.all(receivers.map((receiver, n) => receiver.got(shareOf(n))))
  const began = performance.now()
  await contender.start()
  await all
  const seconds = (performance.now() - began) / 1000
  await contender.stop()
  return count / seconds
}

/** How many of the deliveries go to the receiver. */
function shareOf(receiver: number): number {
  return Math.floor(count / receivers.length) + (receiver < count % receivers.length ? 1 : 0)
}

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
const contenders = [tillkit, pgBoss, graphileWorker]
const speeds = new Map<string, number[]>()
for (let round = 0; round < Number(values.rounds); round++) {
  for (const create of contenders) {
    const contender = create(connectionString, urls)
    const speed = await deliveriesASecond(contender)
    speeds.set(contender.name, [...(speeds.get(contender.name) ?? []), speed])
  }
}
const ours = median(speeds.get('Tillkit') ?? [])
console.log(
  `${count} webhooks waiting on PostgreSQL, 8 receivers on loopback, ${values.rounds} rounds, medians\n`,
)
console.log('| deliveries a second | | ratio to Tillkit |\n|---|---|---|')
for (const [name, all] of speeds) {
  console.log(`| ${name} | ${median(all).toFixed(0)} | ${(median(all) / ours).toFixed(2)} |`)
}
for (const receiver of receivers) receiver.close()
await dropSchemas(connectionString)
process.exit(0)
