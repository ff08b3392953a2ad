import { DataPointType, type MetricData } from '@opentelemetry/sdk-metrics'

const UNITS: Record<string, string> = { s: 'seconds' }

/** A name of OpenTelemetry's as Prometheus writes it. */
export function prometheusWord(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+/g, '_')
}

/** What Prometheus calls a metric that it gets by OTLP: its unit is part of its name, and a counter's `_total`. */
export function prometheusNames(metric: MetricData): string[] {
  const { name, unit } = metric.descriptor
  const words = [prometheusWord(name), ...(UNITS[unit] ? [UNITS[unit]] : [])]
  const plain = words.join('_')
  if (metric.dataPointType === DataPointType.HISTOGRAM) {
    return ['bucket', 'count', 'sum'].map(part => `${plain}_${part}`)
  }
  return [metric.dataPointType === DataPointType.SUM && metric.isMonotonic ? `${plain}_total` : plain]
}

/** The labels of all its points. */
export function prometheusLabels(metric: MetricData): string[] {
  const names = metric.dataPoints.flatMap(({ attributes }) => Object.keys(attributes))
  return [...new Set(names.map(prometheusWord))]
}
