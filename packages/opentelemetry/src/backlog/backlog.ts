import { type BatchObservableResult, diag, type Meter, type ObservableGauge } from '@opentelemetry/api'
import type { WatchedTill } from '../options.ts'
import { askBacklog, type Backlog } from './ask-backlog.ts'
import { keptAnswer } from './kept-answer.ts'

/** What is measured of a backlog: its name, its unit, and what it is. */
const GAUGES: Record<keyof Backlog, [name: string, unit: string, description: string]> = {
  pendingAge: [
    'tillkit.payment.pending.age',
    's',
    'For how long the oldest pending payment has been pending.',
  ],
  pending: ['tillkit.delivery.pending', '{delivery}', 'Deliveries that are neither delivered nor given up.'],
  due: ['tillkit.delivery.due', '{delivery}', 'Deliveries whose time has come and that nobody has taken up.'],
  lag: ['tillkit.delivery.lag', 's', 'For how long the delivery that is due the longest has been due.'],
  exhausted: ['tillkit.delivery.exhausted', '{delivery}', 'Deliveries that were given up.'],
  pausedEndpoints: ['tillkit.endpoint.paused', '{endpoint}', 'Merchants whose webhook endpoint is paused.'],
}

/**
 * Gauges of what a till has to do, asked for when they are collected. Where it cannot be asked nothing is measured; an SDK that keeps what it has
 * sent goes on with the last value all the same.
 */
export function backlog(till: WatchedTill, meter: Meter): () => void {
  const read = keptAnswer(
    () => askBacklog(till),
    error => diag.warn('tillkit: the backlog could not be asked for', error),
  )
  const gauges = Object.entries(GAUGES).map(([field, [name, unit, description]]) => ({
    field: field as keyof Backlog,
    gauge: meter.createObservableGauge(name, { unit, description }),
  }))
  const observe = async (result: BatchObservableResult) => {
    const found = await read()
    if (found === null) return
    for (const { field, gauge } of gauges) result.observe(gauge, found[field])
  }
  const observed: ObservableGauge[] = gauges.map(({ gauge }) => gauge)
  meter.addBatchObservableCallback(observe, observed)
  return () => meter.removeBatchObservableCallback(observe, observed)
}
