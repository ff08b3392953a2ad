import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { instrumentTillkit } from '../src/index.ts'
import { everything } from './everything.ts'
import { prometheusLabels, prometheusNames } from './prometheus.ts'
import { alerts, asked, dashboard, queries } from './queries.ts'
import { type Sdk, sdk } from './sdk.ts'
import { openShop, type Shop } from './shop.ts'

let shop: Shop
let it: Sdk
const labelsOf = new Map<string, string[]>()
let text: string

beforeAll(async () => {
  shop = await openShop()
  it = sdk({ till: shop.till })
  const exporter = new PrometheusExporter({ preventServerStart: true })
  const meterProvider = new MeterProvider({ readers: [exporter] })
  const besides = instrumentTillkit({ till: shop.till, meterProvider })
  await everything(shop)
  for (const metric of await it.metrics()) {
    for (const name of prometheusNames(metric)) labelsOf.set(name, prometheusLabels(metric))
  }
  text = await scraped(exporter)
  besides.disable()
})
afterAll(async () => {
  it.disable()
  await shop.close()
})

/** What a scrape gets. */
function scraped(exporter: PrometheusExporter): Promise<string> {
  return new Promise(resolve => {
    const response = { statusCode: 0, setHeader() {}, end: resolve }
    exporter.getMetricsRequestHandler({} as never, response as never)
  })
}

describe.each(queries())('$of', query => {
  test('asks for metrics that are sent, by labels that they have', () => {
    const { metrics, labels } = asked(query)
    expect(metrics.length).toBeGreaterThan(0)
    expect(metrics.filter(name => !labelsOf.has(name))).toEqual([])
    const known = metrics.flatMap(name => labelsOf.get(name) ?? [])
    expect(labels.filter(label => !known.includes(label))).toEqual([])
  })
})

test('the exporter of a process’ own has the same metrics, without their units', () => {
  const families = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name)
  const bare = [...labelsOf.keys()].map(name =>
    name.replace(/_(bucket|count|sum)$/, '').replace('_seconds', ''),
  )
  const counts = families.filter(name => name === 'db_client_connection_count')
  expect(counts.length).toBe(1)
  expect(bare.filter(name => !families.includes(name) && name !== 'db_client_connection')).toEqual([])
})

test('every metric has a panel or an alert', () => {
  const used = new Set(queries().flatMap(query => asked(query).metrics.map(familyOf)))
  expect([...new Set([...labelsOf.keys()].map(familyOf))].filter(name => !used.has(name))).toEqual([])
})

const familyOf = (name: string) => name.replace(/_(bucket|sum|count)$/, '')

test('the variables of the dashboard are those of its queries', () => {
  const [, ...asking] = dashboard.templating.list
  for (const { name, query } of asking) {
    const [, metric = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(query) ?? []
    // What runs where is Prometheus' own to say.
    expect(name === 'job' ? ['job'] : labelsOf.get(metric)).toContain(label)
    expect(labelsOf.has(metric)).toBe(true)
  }
  expect(asking.map(({ name }) => name)).toEqual(['job', 'till'])
})

test('each alert says whom it wakes, and the README what to do about it', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
  for (const { alert, labels, annotations } of alerts()) {
    expect(['page', 'ticket']).toContain(labels.severity)
    expect(annotations.summary).toMatch(/\.$/)
    const [, words = ''] = new RegExp(`^### ${alert}\n\n(.+?)(?=\n#|$)`, 'ms').exec(readme) ?? []
    expect([alert, words.length > 80]).toEqual([alert, true])
  }
})
