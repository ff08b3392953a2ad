import { DataPointType, type Histogram, type MetricData } from '@opentelemetry/sdk-metrics'
import { prometheusNames, prometheusWord } from './prometheus.ts'

/** What was collected at a time. */
export interface Collected {
  /** In seconds since 1970. */
  at: number
  metrics: MetricData[]
}

/** What a Prometheus has that got these by OTLP, in the text that `promtool` makes its blocks from. */
export function exposition(collections: Collected[]): string {
  const lines = collections.flatMap(({ at, metrics }) =>
    metrics.flatMap(metric => linesOf(metric).map(line => `${line} ${at}`)),
  )
  return `${lines.join('\n')}\n# EOF\n`
}

function linesOf(metric: MetricData): string[] {
  const [name = '', count = '', sum = ''] = prometheusNames(metric)
  return metric.dataPoints.flatMap(({ attributes, value }) => {
    const labels = { job: 'shop', ...attributes }
    if (metric.dataPointType !== DataPointType.HISTOGRAM) return [`${name}${labelled(labels)} ${value}`]
    const { buckets, count: all, sum: total } = value as Histogram
    const bounds = [...buckets.boundaries.map(String), '+Inf']
    let below = 0
    const counts = bounds.map((le, n) => {
      below += buckets.counts[n] ?? 0
      return `${name}${labelled({ ...labels, le })} ${below}`
    })
    return [...counts, `${count}${labelled(labels)} ${all}`, `${sum}${labelled(labels)} ${total}`]
  })
}

function labelled(labels: object): string {
  const words = Object.entries(labels).map(
    ([name, value]) => `${prometheusWord(name)}=${JSON.stringify(String(value))}`,
  )
  return `{${words.join(',')}}`
}
