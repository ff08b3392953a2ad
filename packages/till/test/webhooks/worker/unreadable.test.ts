import { createTill, type WebhookEvents } from '@tillkit/till'
import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ENGINES, openStorage, type Place } from '../processes/place.ts'
import { receiver } from '../receiver.ts'
import { SECRETS } from '../scene.ts'

/** Runs a statement behind the till's back; `<table>` stands for a table's whole name. */
async function behindItsBack(place: Place, statement: string): Promise<void> {
  if ('file' in place) {
    const file = new SqliteDatabase(place.file)
    file.prepare(statement.replace(/<(\w+)>/g, 'tillkit_$1')).run()
    file.close()
    return
  }
  const client = new pg.Client({ connectionString: place.connectionString })
  await client.connect()
  const sql = statement.replace(/<(\w+)>/g, `"${place.schema}".tillkit_$1`)
  await client.query(sql).finally(() => client.end())
}

const bad = "merchant_id = 'bad'"
const payment = `${bad} and id = 1`
const merchant = (column: string, value: string) =>
  `update <merchants> set ${column} = '${value}' where id = 'bad'`

interface Case {
  name: string
  damage: string[]
  reason: RegExp
  /** Puts right what was damaged; left out where it cannot be. */
  mend?: string[]
}

const CASES: Case[] = [
  {
    name: 'a payment that cannot be read',
    damage: [`update <payments> set extra = '[1]' where ${payment}`],
    reason: /^payment 1 of merchant bad cannot be read: its extra/,
    mend: [`update <payments> set extra = '{}' where ${payment}`],
  },
  {
    name: 'a status outside its set',
    damage: [`update <payments> set status = 'lost' where ${payment}`],
    reason: /^payment 1 of merchant bad cannot be read: its status/,
    mend: [`update <payments> set status = 'completed' where ${payment}`],
  },
  {
    name: 'a payment that is gone',
    damage: [`delete from <payments> where ${payment}`],
    reason: /^payment is gone$/,
  },
  {
    name: 'a merchant that is gone',
    damage: ["delete from <merchants> where id = 'bad'"],
    reason: /^merchant is gone$/,
  },
  {
    name: 'a key that does not open',
    damage: [merchant('webhook_key', 'sealed.k1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')],
    reason: /^webhook key does not open$/,
    mend: [merchant('webhook_key', 'plain.whk_1')],
  },
  {
    name: 'a key in an unknown form',
    damage: [merchant('webhook_key', 'whk_secret')],
    reason: /^webhook key is stored in an unknown form$/,
    mend: [merchant('webhook_key', 'plain.whk_1')],
  },
  {
    name: 'a URL that is none',
    damage: [merchant('webhook_url', 'not a url')],
    reason: /^webhook URL is not valid$/,
  },
]

describe.each(ENGINES)('over $name', ({ unavailable, create }) => {
  const needsEngine = test.skipIf(unavailable !== undefined && process.env.CI !== 'true')

  /** A till with the merchants `bad` and `good`, each with as many payments completed. */
  async function openTill(payments: number) {
    const { place, drop } = await create()
    const storage = openStorage(place)
    await storage.migrate()
    const hook = await receiver()
    const lines: string[] = []
    const write = (fields: object, message: string) => lines.push(`${message} ${JSON.stringify(fields)}`)
    const quiet = () => {}
    const till = createTill({
      storage,
      secrets: SECRETS,
      logger: { debug: quiet, info: quiet, warn: write, error: write },
      webhooks: { allowHttp: true, allowPrivateAddresses: true, timeoutSeconds: 5 },
    })
    onTestFinished(async () => {
      await till.close()
      await storage.close()
      await drop()
    })
    for (const id of ['bad', 'good']) {
      await till.merchants.create({ id, name: 'Shop', webhookUrl: `${hook.url}&of=${id}` })
      await till.scanCodes.create(id, { code: id })
      await till.merchants.issueWebhookKey(id)
    }
    for (let n = 0; n < payments; n++) {
      for (const scanCode of ['bad', 'good']) {
        await till.payments.complete(await till.payments.start({ scanCode, totalAmount: 1 }))
      }
    }
    return { place, till, hook, lines }
  }

  needsEngine.for(CASES)(
    '$name is set aside, and everybody else’s goes out',
    async ({ damage, reason, mend }) => {
      const { place, till, hook, lines } = await openTill(3)
      for (const statement of damage) await behindItsBack(place, statement)
      const exhausted: WebhookEvents['exhausted'][] = []
      till.webhooks.on('exhausted', event => exhausted.push(event))

      const { delivered, failed } = await till.webhooks.deliverDue()
      expect(delivered + failed).toBe(6)
      expect(hook.received.filter(({ url }) => url.endsWith('of=good'))).toHaveLength(3)
      const { items } = await till.webhooks.list('bad').catch(() => ({ items: null }))
      const aside = items?.filter(({ state }) => state === 'exhausted') ?? exhausted
      expect(aside.map(({ paymentId }) => paymentId)).toContain(1)
      for (const delivery of aside) {
        expect('lastError' in delivery ? delivery.lastError : delivery.error).toMatch(reason)
      }
      expect(failed).toBe(aside.length)
      expect(exhausted).toHaveLength(failed)
      expect(await till.webhooks.counts()).toMatchObject({ pending: 0, exhausted: failed })
      expect(lines.filter(line => line.startsWith('webhook set aside'))).toHaveLength(failed)
      expect(lines).toHaveLength(failed)
      expect(lines.join()).not.toMatch(/whk_secret|AAAA/)
      expect(await till.webhooks.deliverDue()).toEqual({ delivered: 0, failed: 0 })

      if (!mend) return
      for (const statement of mend) await behindItsBack(place, statement)
      await till.webhooks.redeliver({ merchantId: 'bad', paymentId: 1 })
      expect(await till.webhooks.deliverDue()).toEqual({ delivered: 1, failed: 0 })
    },
  )

  needsEngine('one of them stops neither the loop nor what is paid after it', async () => {
    const { place, till, hook } = await openTill(1)
    for (const { damage } of CASES.slice(0, 1)) for (const one of damage) await behindItsBack(place, one)
    till.webhooks.start()
    await hook.got(1)
    await till.payments.complete(await till.payments.start({ scanCode: 'bad', totalAmount: 1 }))
    await hook.got(2)
    expect(hook.received.map(({ url }) => url.slice(-4))).toEqual(['good', '=bad'])
    expect((await till.webhooks.list('bad')).total).toBe(2)
    await expect(till.payments.list('bad')).rejects.toThrow(
      'payment 1 of merchant bad cannot be read: its extra',
    )
    expect((await till.payments.list('good')).total).toBe(1)
    await expect(till.webhooks.redeliver({ merchantId: 'bad', paymentId: 1 })).rejects.toThrow(
      'cannot be read',
    )
    expect(await till.webhooks.redeliverSince('bad', { since: '2020-01-01T00:00:00Z' })).toBe(2)
    await hook.got(3)
  })
})
