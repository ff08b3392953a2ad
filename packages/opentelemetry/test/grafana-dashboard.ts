import type { Dashboard, Panel, RowPanel } from '@grafana/grafana-foundation-sdk/dashboard'
import type { Dataquery } from '@grafana/grafana-foundation-sdk/prometheus'
import type { FieldConfig, Options } from '@grafana/grafana-foundation-sdk/timeseries'

/** A type of Grafana's as JSON has it: the values of its enumerations in their place. */
type Plain<T> = T extends string
  ? string extends T
    ? T
    : `${T}`
  : T extends (infer One)[]
    ? Plain<One>[]
    : T extends object
      ? { [Name in keyof T]: Plain<T[Name]> }
      : T

type Query = Omit<Plain<Dataquery>, '_implementsDataqueryVariant' | 'dataqueryType'>

type Fields = NonNullable<Panel['fieldConfig']>

interface Graph extends Omit<Plain<Panel>, 'type' | 'targets' | 'options' | 'fieldConfig'> {
  type: 'timeseries'
  targets: Query[]
  options: Plain<Options>
  fieldConfig: Omit<Plain<Fields>, 'defaults'> & {
    defaults: Omit<Plain<Fields['defaults']>, 'custom'> & { custom?: Partial<Plain<FieldConfig>> }
  }
}

/** A dashboard of rows and graphs, as Grafana's own SDK says that Grafana takes them. */
export interface GrafanaDashboard extends Omit<Plain<Dashboard>, 'panels'> {
  panels: (Graph | Plain<RowPanel>)[]
}
