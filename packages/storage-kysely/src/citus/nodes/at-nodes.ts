import type { Storage } from '@tillkit/storage'

/**
 * The storage, of which a merchant's own calls are made at the node that has the merchant's rows: by the port that `portOf` has for it,
 * where it has one. What is looked up by a code or a key, written at every node or asked of all merchants stays where it was.
 */
export function atNodes(storage: Storage, portOf: (merchantId: string) => Storage | undefined): Storage {
  const { payments, reports, settlements, deliveries, endpoints } = storage
  const at = (merchantId: string) => portOf(merchantId) ?? storage
  return {
    ...storage,
    payments: {
      ...payments,
      start: (payment, ...how) => at(payment.merchantId).payments.start(payment, ...how),
      resolve: (key, ...how) => at(key.merchantId).payments.resolve(key, ...how),
      settle: (id, ...what) => at(id).payments.settle(id, ...what),
      get: key => at(key.merchantId).payments.get(key),
      findAttempt: (id, key) => at(id).payments.findAttempt(id, key),
      list: (id, ...which) => at(id).payments.list(id, ...which),
      idRange: (id, dates) => at(id).payments.idRange(id, dates),
      walk: (id, ...which) => at(id).payments.walk(id, ...which),
    },
    cashUps: {
      create: (id, cashUp) => at(id).cashUps.create(id, cashUp),
      list: (id, slice) => at(id).cashUps.list(id, slice),
      payments: (id, ...which) => at(id).cashUps.payments(id, ...which),
    },
    reports: {
      period: (id, reference) => at(id).reports.period(id, reference),
      takings: (id, bounds) => (id === null ? reports : at(id).reports).takings(id, bounds),
    },
    settlements: {
      ...settlements,
      find: (id, ...names) => at(id).settlements.find(id, ...names),
      settle: (id, ...what) => at(id).settlements.settle(id, ...what),
      unsettled: (id, ...run) => at(id).settlements.unsettled(id, ...run),
    },
    deliveries: {
      ...deliveries,
      record: result => at(result.merchantId).deliveries.record(result),
      requeue: (key, now) => at(key.merchantId).deliveries.requeue(key, now),
      get: key => at(key.merchantId).deliveries.get(key),
      list: (id, ...which) => at(id).deliveries.list(id, ...which),
      attempts: (id, paymentIds) => at(id).deliveries.attempts(id, paymentIds),
    },
    endpoints: { ...endpoints, get: id => at(id).endpoints.get(id) },
  }
}
