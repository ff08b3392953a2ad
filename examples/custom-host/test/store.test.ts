import { appendFile, copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NewPayment } from '@tillkit/domain'
import { storageConformance, storageMatchesModel } from '@tillkit/storage/conformance'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { journaledStorage } from '../src/store/journaled-storage.ts'

const folder = await mkdtemp(join(tmpdir(), 'tillkit-journal-'))
afterAll(() => rm(folder, { recursive: true }))
let files = 0
const newFile = () => join(folder, `${files++}.journal`)

async function open() {
  const { close, ...storage } = await journaledStorage(newFile())
  return { storage, close }
}

storageConformance({ describe, test, expect }, open)
storageMatchesModel({ describe, test, expect }, open, { fc, runs: 20 })

const now = '2026-11-20T09:30:00.000Z'
const payment: NewPayment = {
  merchantId: 'coffee',
  scanCode: 'counter',
  scanCodeReference: null,
  totalAmount: 450,
  tipAmount: null,
  userReference: 'Zoë \ud800',
  isVoucher: false,
  isVoucherRedemption: false,
  requiredAmount: null,
  merchantReference: null,
  authCode: null,
  deviceSerialNumber: null,
  strict: false,
  extra: { ['__proto__']: 'x' },
  attemptKey: null,
}

async function withThreePayments(file: string) {
  const store = await journaledStorage(file)
  const features = { tips: false, userReferences: false, deviceLists: false }
  await store.merchants.create({ id: 'coffee', name: 'Coffee', webhookUrl: null, features, createdAt: now })
  await store.scanCodes.add({ merchantId: 'coffee', code: 'counter', reference: null, createdAt: now })
  await Promise.all([1, 2, 3].map(() => store.payments.start(payment, now)))
  await store.payments.resolve({ merchantId: 'coffee', id: 2 }, { status: 'completed' }, now)
  await store.cashUps.create('coffee', { reference: 'a'.repeat(32), idempotencyKey: null, now })
  return store
}

const contents = async (store: Awaited<ReturnType<typeof journaledStorage>>) => ({
  payments: await store.payments.list('coffee', {}, { skip: 0, limit: 10 }),
  cashUps: await store.cashUps.list('coffee', { skip: 0, limit: 10 }),
})

test('whatever was acknowledged is there when the process is gone', async () => {
  const [file, copy] = [newFile(), newFile()]
  const store = await withThreePayments(file)
  const before = await contents(store)
  await copyFile(file, copy)
  await store.close()

  const reopened = await journaledStorage(copy)
  expect(await contents(reopened)).toEqual(before)
  const { payment: fourth } = await reopened.payments.start(payment, now)
  expect(fourth.id).toBe(4)
  await reopened.close()
})

test('names are kept as they are, whatever others were called', async () => {
  const file = newFile()
  const store = await withThreePayments(file)
  for (const name of ['wheel\\', 'wheel"', 'wheel\n', 'wheel\u0001']) {
    const extra = { size: 'L', [name]: name }
    expect((await store.payments.start({ ...payment, extra }, now)).payment.extra).toEqual(extra)
  }
  const before = await contents(store)
  await store.close()
  const reopened = await journaledStorage(file)
  expect(await contents(reopened)).toEqual(before)
  await reopened.close()
})

test('a line that a crash cut short is taken away, wherever it was cut', async () => {
  const file = newFile()
  const store = await withThreePayments(file)
  const before = await contents(store)
  await store.close()
  const whole = await readFile(file)
  for (const torn of ['[', '["payments","start",[{"userReference":"Zo', Buffer.from([0xc3])]) {
    await appendFile(file, torn)
    const reopened = await journaledStorage(file)
    expect(await contents(reopened)).toEqual(before)
    await reopened.close()
    expect(await readFile(file)).toEqual(whole)
  }
})
