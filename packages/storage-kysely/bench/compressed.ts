import { parseArgs } from 'node:util'
import { openSide, type Side } from './compressed/side.ts'
import { historyStatements, merchantIds } from './written/history.ts'
import { attemptOf, COMPLETED } from './written/steps.ts'

const { values } = parseArgs({
  options: {
    merchants: { type: 'string', default: '10000' },
    payments: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '5' },
    pool: { type: 'string', default: '512M' },
  },
})
const [count, payments, rounds] = [Number(values.merchants), Number(values.payments), Number(values.rounds)]
const LANES = 32

const merchants = merchantIds(count)
const any = <Value>(of: Value[]) => of[Math.floor(Math.random() * of.length)] as Value

/** What is compared, and how often it is done in a round. */
const WORK: Record<string, { times: number; once(side: Side): Promise<unknown> }> = {
  'start + complete': {
    times: 10_000,
    async once({ storage }) {
      const { payment } = await storage.payments.start(attemptOf(any(merchants)), null)
      const { merchantId, id } = payment
      await storage.payments.resolve({ merchantId, id }, COMPLETED, null, null, null)
    },
  },
  'one payment by id': {
    times: 20_000,
    once: ({ storage }) =>
      storage.payments.get({ merchantId: any(merchants), id: 1 + Math.floor(Math.random() * payments) }),
  },
  'first page': {
    times: 10_000,
    once: ({ storage }) => storage.payments.list(any(merchants), {}, { skip: 0, limit: 50 }),
  },
}

interface Measured {
  /** How often a second, until what was written is in its place. */
  rate: number
  /** Microseconds of the server's processor for one. */
  processor: number
}

async function measure(side: Side, { times, once }: (typeof WORK)[string]): Promise<Measured> {
  const [began, before] = [performance.now(), await side.processor()]
  let left = times
  const lane = async () => {
    while (left-- > 0) await once(side)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  await side.settle()
  const seconds = (performance.now() - began) / 1000
  return { rate: times / seconds, processor: (((await side.processor()) - before) / times) * 1e6 }
}

const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

const plain = await openSide(false, values.pool)
const compressed = await openSide(true, values.pool)
try {
  for (const side of [plain, compressed]) {
    for (const statement of historyStatements('mysql', merchants, payments, 'random'))
      await side.run(statement)
    await side.settle()
  }
  console.log(
    `\n${plain.version}: ${count} merchants of ${payments} payments, a buffer pool of ${values.pool}\n`,
  )

  const [before, after] = [await plain.onDisk(), await compressed.onDisk()]
  console.log('| bytes a payment on the disk | plain | compressed | |\n|---|---|---|---|')
  const line = (name: string, ...bytes: [number, number]) => {
    const [a, b] = bytes.map(total => (total / (count * payments)).toFixed(0))
    console.log(`| ${name} | ${a} | ${b} | ${(bytes[1] / bytes[0]).toFixed(2)} |`)
  }
  for (const name of ['tillkit_payments', 'tillkit_deliveries'])
    line(name, before.get(name) ?? 0, after.get(name) ?? 0)
  const sum = (of: Map<string, number>) => [...of.values()].reduce((a, b) => a + b, 0)
  line('all tables', sum(before), sum(after))

  console.log('\n| | plain a second | compressed a second | | plain, µs of the server | compressed, µs | |')
  console.log('|---|---|---|---|---|---|---|')
  for (const [name, work] of Object.entries(WORK)) {
    const pairs: { plain: Measured; compressed: Measured }[] = []
    for (let round = 0; round <= rounds; round++) {
      const pair = { plain: await measure(plain, work), compressed: await measure(compressed, work) }
      // The first one warms up.
      if (round > 0) pairs.push(pair)
    }
    const cells = (['rate', 'processor'] as const).flatMap(figure => [
      median(pairs.map(pair => pair.plain[figure])).toFixed(0),
      median(pairs.map(pair => pair.compressed[figure])).toFixed(0),
      median(pairs.map(pair => pair.compressed[figure] / pair.plain[figure])).toFixed(2),
    ])
    console.log(`| ${[name, ...cells].join(' | ')} |`)
  }
} finally {
  await plain.close()
  await compressed.close()
}
