import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Till } from '@tillkit/till'
import { toCsv } from '@tillkit/till/export'

export async function writePayments(till: Till, merchantId: string, file: string): Promise<void> {
  const payments = till.payments.export(merchantId, { filter: { startDate: '2026-11-01T00:00:00Z' } })
  await pipeline(Readable.from(toCsv(payments)), createWriteStream(file))
}
