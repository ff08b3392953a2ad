import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { DatabaseError, type DatabaseStorage } from '../../src/index.ts'
import { changedAddress, storageAt } from '../engines/address.ts'
import type { Engine } from '../engines/engine.ts'
import { overPostgres } from '../engines/index.ts'
import { ALL, attempt, merchantId, NOW, openResults, openShop } from '../faults/shop.ts'

/** A shop in a database of Latin letters, which lacks most characters. */
async function latinShop({ create }: Engine): Promise<DatabaseStorage> {
  const { address, drop } = await create()
  if (address.dialect !== 'postgres') throw new Error('not PostgreSQL')
  const client = new pg.Client({ connectionString: address.connectionString })
  await client.connect()
  const name = `${address.schema}_latin`
  await client.query(
    `create database "${name}" encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'`,
  )
  const latin = changedAddress(address, url => {
    url.pathname = `/${name}`
  })
  const storage = storageAt(latin, { schema: 'public' })
  onTestFinished(async () => {
    await storage.close()
    await client.query(`drop database "${name}" with (force)`)
    await client.end()
    await drop()
  })
  await storage.migrate()
  await openShop(storage)
  return storage
}

overPostgres(engine => {
  test('what an endpoint answered is written as far as the database has the characters', async () => {
    const storage = await latinShop(engine)
    const results = await openResults(storage, 5, '2026-11-20T09:31:00.000Z')
    const answers = ['é', 'ok 👍', 'ok', '漢', null]
    const recorded = results.map((result, n) => {
      const attempt = { ...result.attempt, answer: answers[n] ?? null }
      return storage.deliveries.record({ ...result, attempt })
    })
    expect(await Promise.all(recorded)).toEqual(results.map(() => true))
    const kept = await storage.deliveries.attempts(merchantId, [1, 2, 3, 4, 5])
    expect(kept.map(({ answer }) => answer)).toEqual(['é', 'ok ?', 'ok', '?', null])

    const { paymentId } = await failed(storage)
    const [attempted] = await storage.deliveries.attempts(merchantId, [paymentId])
    expect(attempted).toMatchObject({ status: null, error: 'no way to caf? ?', answer: null })
  })

  /** A delivery whose attempt found no words that the database has. */
  async function failed(storage: DatabaseStorage) {
    const { payment } = await storage.payments.start(attempt(), NOW)
    await storage.payments.resolve(payment, { status: 'completed' }, NOW)
    const [claimed] = await storage.deliveries.claim({
      now: NOW,
      leaseUntil: '2026-11-20T09:31:00.000Z',
      limit: 1,
    })
    if (!claimed) throw new Error('nothing was due')
    const { paymentId, fence } = claimed
    await storage.deliveries.record({
      ...{ merchantId, paymentId, fence, state: 'pending', nextAttemptAt: NOW },
      attempt: { at: NOW, status: null, milliseconds: 1, error: 'no way to café 👍', answer: null },
    })
    return { paymentId }
  }

  test('a start with such a character is refused by itself, and says what is wrong', async () => {
    const storage = await latinShop(engine)
    const texts = ['a', '👍', 'é']
    const starts = texts.map(text => storage.payments.start(attempt({ extra: { text } }), NOW))
    const [first, refused, last] = await Promise.allSettled(starts)
    expect([first?.status, last?.status]).toEqual(['fulfilled', 'fulfilled'])
    expect(refused).toMatchObject({
      reason: {
        constructor: DatabaseError,
        message: expect.stringMatching(/^the encoding of the database lacks a character/),
      },
    })
    const { items } = await storage.payments.list(merchantId, {}, ALL)
    expect(items.map(({ id, extra }) => [id, extra.text])).toEqual([
      [2, 'é'],
      [1, 'a'],
    ])
  })
})
