import type { BatchObservableResult } from '@opentelemetry/api'
import type { ConnectionMessage, PoolFigures } from '@tillkit/storage/channels'
import { failed, listen } from '../channels/listen.ts'
import { errorType } from './error-type.ts'
import { DATABASE_BOUNDS, type Parts, secondsSince } from './parts.ts'

interface State {
  began: number
}

/** `db.client.connection.…` of the pools that have been asked for a connection; a pool that is gone is forgotten. */
export function connections({ meter }: Parts): () => void {
  const wait = meter.createHistogram('db.client.connection.wait_time', {
    description: 'The time it took to obtain an open connection from the pool.',
    unit: 's',
    advice: { explicitBucketBoundaries: DATABASE_BOUNDS },
  })
  const timeouts = meter.createCounter('db.client.connection.timeouts', {
    description:
      'The number of connection requests that ended without one: by a timeout, or since none could be made.',
    unit: '{timeout}',
  })
  const count = meter.createObservableUpDownCounter('db.client.connection.count', {
    description: 'The number of connections that are currently in state described by the state attribute.',
    unit: '{connection}',
  })
  const limit = meter.createObservableUpDownCounter('db.client.connection.limit', {
    description: 'The maximum number of open connections allowed.',
    unit: '{connection}',
  })
  const pending = meter.createObservableUpDownCounter('db.client.connection.pending_requests', {
    description: 'The number of current pending requests for an open connection.',
    unit: '{request}',
  })
  const known = new Set<WeakRef<PoolFigures>>()
  const seen = new WeakSet<PoolFigures>()

  const observe = (result: BatchObservableResult) => {
    for (const [name, { limit: most, pending: waiting, used, idle }] of added(known)) {
      const attributes = { 'db.client.connection.pool.name': name }
      result.observe(limit, most, attributes)
      result.observe(pending, waiting, attributes)
      result.observe(count, used, { ...attributes, 'db.client.connection.state': 'used' })
      if (idle !== undefined)
        result.observe(count, idle, { ...attributes, 'db.client.connection.state': 'idle' })
    }
  }

  const stop = listen<ConnectionMessage, State>('tillkit:storage.connection', {
    begin({ pool }) {
      if (!seen.has(pool)) known.add(new WeakRef(pool))
      seen.add(pool)
      return { began: performance.now() }
    },
    end(message, { began }) {
      const name = { 'db.client.connection.pool.name': message.pool.name }
      if (failed(message)) timeouts.add(1, { ...name, 'error.type': errorType(message.error) })
      else wait.record(secondsSince(began), name)
    },
  })
  const observed = [count, limit, pending]
  meter.addBatchObservableCallback(observe, observed)
  return () => {
    stop()
    meter.removeBatchObservableCallback(observe, observed)
  }
}

/** What the pools of a name have together: a process may have several storages. */
function added(known: Set<WeakRef<PoolFigures>>) {
  const sums = new Map<string, { limit: number; pending: number; used: number; idle: number | undefined }>()
  for (const reference of known) {
    const pool = reference.deref()
    if (pool === undefined) {
      known.delete(reference)
      continue
    }
    const sum = sums.get(pool.name) ?? { limit: 0, pending: 0, used: 0, idle: undefined }
    sum.limit += pool.max
    sum.pending += pool.pending
    sum.used += pool.used
    if (pool.idle !== undefined) sum.idle = (sum.idle ?? 0) + pool.idle
    sums.set(pool.name, sum)
  }
  return sums
}
