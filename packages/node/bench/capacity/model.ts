import type { Cpu, Inputs } from './inputs.ts'

/** What is to be carried, and of what machines. */
export interface Plan {
  merchants: number
  paymentsASecond: number
  /** Requests for one payment, and for a page, that merchants make for each payment. */
  byIdAPayment: number
  pagesAPayment: number
  /** A year has so many seconds at that rate: the peak does not last all day. */
  busySecondsAYear: number
  /** Days after which deliveries are purged. */
  purgedAfterDays: number
  /** Of a machine: its cores, the share of them that is used at the peak, and the bytes of its disk. */
  cores: number
  used: number
  disk: number
}

/** What the plan takes, as rows of a table. */
export function model(inputs: Inputs, plan: Plan): [string, string][] {
  const { paymentsASecond: rate } = plan
  const coresOf = (part: keyof Cpu) =>
    rate *
    (inputs.payment[part] + plan.byIdAPayment * inputs.byId[part] + plan.pagesAPayment * inputs.page[part])
  const [server, host] = [coresOf('server'), coresOf('host')]
  const machines = (cores: number) => Math.ceil(cores / (plan.cores * plan.used))
  const yearly = rate * plan.busySecondsAYear
  const purged = (yearly / 365) * plan.purgedAfterDays * inputs.deliveryBytes
  const stored = yearly * inputs.keptBytes + purged + plan.merchants * inputs.merchantBytes
  const byDisk = Math.ceil(stored / plan.disk)
  const [shards, processes] = [Math.max(machines(server), byDisk), Math.ceil(host / plan.used)]
  const terabytes = (bytes: number) => `${(bytes / 1e12).toFixed(1)} TB`
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB/s`
  // A merchant who is paid once between two checkpoints finds each page of his unwritten.
  const walOf = (pages: string, bytes: number): [string, string] => [
    `WAL, to disk and again to standbys · of a shard: ${pages}`,
    `${megabytes(rate * bytes)} · ${megabytes((rate * bytes) / shards)}`,
  ]
  return [
    ['cores of database servers', server.toFixed(1)],
    [
      `servers of ${plan.cores} cores and ${terabytes(plan.disk)}, by cores · by a year on disk`,
      `${machines(server)} · ${byDisk}`,
    ],
    ['shards, each a server and its standby', `${shards}`],
    ['cores of hosts, and so many processes', `${host.toFixed(1)}, ${processes}`],
    [`hosts of ${plan.cores} cores`, `${machines(host)}`],
    [
      'connections to each shard, where every process has to do with every shard',
      `${processes * inputs.connections}`,
    ],
    ['payments a year', `${(yearly / 1e9).toFixed(1)} billion`],
    ['disk for payments, a year', terabytes(yearly * inputs.keptBytes)],
    [`disk for deliveries of ${plan.purgedAfterDays} days`, terabytes(purged)],
    ['disk for merchants', terabytes(plan.merchants * inputs.merchantBytes)],
    ['disk of a shard after a year', terabytes(stored / shards)],
    walOf('pages that were written since the checkpoint', inputs.walBytes),
    walOf('pages that were not', inputs.coldWalBytes),
    walOf('such pages, by pglz', inputs.coldCompressedBytes),
    ['between hosts and servers', megabytes(rate * inputs.wireBytes)],
    ['webhooks, out', megabytes(rate * inputs.webhookBytes)],
  ]
}
