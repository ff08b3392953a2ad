import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'

const FOLDER = join(import.meta.dirname, '..')

/** A query, and where it stands. */
export interface Query {
  of: string
  text: string
}

export interface Alert {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string; description: string }
}

export function alerts(): Alert[] {
  const { groups } = parse(readFileSync(join(FOLDER, 'alerts/tillkit.rules.yaml'), 'utf8'))
  return groups.flatMap((group: { rules: Alert[] }) => group.rules)
}

interface Panel {
  title: string
  type: string
  targets?: { expr: string }[]
}

export const dashboard: { panels: Panel[]; templating: { list: { name: string; query: string }[] } } =
  JSON.parse(readFileSync(join(FOLDER, 'dashboards/tillkit.json'), 'utf8'))

/** All queries of the dashboard, its variables filled in as Grafana does, and of the alerts. */
export function queries(): Query[] {
  const ofPanels = dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      of: `panel ${title}`,
      text: expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', '.*').replaceAll('$till', 'live'),
    })),
  )
  return [...ofPanels, ...alerts().map(({ alert, expr }) => ({ of: `alert ${alert}`, text: expr }))]
}

/** What a query asks for, by the grammar of Prometheus' own editor. Throws where it is none. */
export function asked({ of, text }: Query): { metrics: string[]; labels: string[] } {
  const metrics: string[] = []
  const labels: string[] = []
  parser.parse(text).iterate({
    enter({ type, from, to }) {
      const word = text.slice(from, to)
      if (type.isError) throw new Error(`${of} is no PromQL at ${from}: ${text}`)
      if (type.name === 'Identifier') metrics.push(word)
      if (type.name === 'LabelName') labels.push(word)
    },
  })
  return { metrics, labels: labels.filter(label => !['le', 'job'].includes(label)) }
}
