/**
 * What one payment, one merchant and one request cost on a PostgreSQL server of its own, and what many would take by
 * that. `npm run bench:capacity`
 */
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { measure } from './measure.ts'
import { model } from './model.ts'

const { values } = parseArgs({
  options: {
    merchants: { type: 'string', default: '10000' },
    payments: { type: 'string', default: '40000' },
    requests: { type: 'string', default: '20000' },
    lanes: { type: 'string', default: '32' },
  },
})
const amount = (name: keyof typeof values) => Number(values[name])
const inputs = await measure({
  merchants: amount('merchants'),
  payments: amount('payments'),
  requests: amount('requests'),
  lanes: amount('lanes'),
})

const table = (title: string, rows: [string, string][]) =>
  [`| ${title} | |`, '|---|---|', ...rows.map(row => `| ${row.join(' | ')} |`)].join('\n')
const micros = ({ host, server }: { host: number; server: number }) =>
  `${(host * 1e6).toFixed(0)} + ${(server * 1e6).toFixed(0)} µs`
const bytes = (count: number) => `${count.toFixed(0)} B`

console.log(
  `\nOne host process and one PostgreSQL server on ${cpus().length} cores, ${values.merchants} merchants\n`,
)
console.log(
  table('measured', [
    ['payments a second, webhook delivered', inputs.paymentsASecond.toFixed(0)],
    ['processor time of a payment, host + server', micros(inputs.payment)],
    ['of a request for one payment', micros(inputs.byId)],
    ['of a request for a page', micros(inputs.page)],
    ['disk, a payment', bytes(inputs.keptBytes)],
    ['disk, its delivery until purged', bytes(inputs.deliveryBytes)],
    ['disk, a merchant', bytes(inputs.merchantBytes)],
    ['WAL, a payment with its delivery, its pages written since the checkpoint', bytes(inputs.walBytes)],
    [
      'WAL, where none was written since · by pglz',
      `${bytes(inputs.coldWalBytes)} · ${bytes(inputs.coldCompressedBytes)}`,
    ],
    ['between host and server, a payment', bytes(inputs.wireBytes)],
    ['a webhook, with its headers', bytes(inputs.webhookBytes)],
    ['connections of a host process', `${inputs.connections}`],
  ]),
)

const plan = {
  ...{ merchants: 1_000_000, paymentsASecond: 5000, byIdAPayment: 2, pagesAPayment: 0.5 },
  ...{ busySecondsAYear: 365 * 8 * 3600, purgedAfterDays: 30, cores: 16, used: 0.5, disk: 8e12 },
}
console.log(
  `\n${plan.merchants} merchants, ${plan.paymentsASecond} payments a second for eight hours a day, each asked for by id twice and by half a page, machines half used;\nsettling, cash ups, reports, purges, vacuums and backups are not in it\n`,
)
console.log(table('by the model', model(inputs, plan)))
