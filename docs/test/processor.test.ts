import { freePort } from '@tillkit/servers'
import { expect, test } from 'vitest'
import { openBank } from './bank.ts'
import { type Folder, openFolder } from './folder.ts'
import { overPostgres } from './postgres.ts'
import { asAdministrator, openProvider } from './provider.ts'

/** Runs a program of the reader's own and returns what it printed, as JSON. */
async function answerOf(folder: Folder, program: string, env: Record<string, string>) {
  await folder.write('program.js', program)
  const { code, output } = await folder.node(['program.js'], env).ended
  expect([code, output]).toEqual([0, expect.any(String)])
  return JSON.parse(output.trim().split('\n').at(-1) ?? '')
}

const SETUP = `
  import { storage, till } from './till.js'
  await till.merchants.create({ id: 'coffee', name: 'Corner Coffee' })
  console.log(JSON.stringify(await till.scanCodes.create('coffee', { code: 'counter' })))
  await storage.close()
`

/** Five calls for each amount, all with the amount as their attempt's key, and how each payment stands then. */
const TAKE = `
  import { takePayment } from './take-payment.js'
  import { storage, till } from './till.js'
  for (const totalAmount of [1200, 1266, 1277, 1288, 1299]) {
    const attempt = { scanCode: 'counter', totalAmount, attemptKey: String(totalAmount) }
    await Promise.all([1, 2, 3, 4, 5].map(() => takePayment(attempt)))
  }
  const { items } = await till.payments.list('coffee')
  console.log(JSON.stringify(items.reverse().map(({ status, failure }) => [status, failure])))
  await till.close()
  await storage.close()
`

overPostgres(url => {
  test('each attempt is charged once, and what the bank knows is found out', {
    timeout: 300_000,
  }, async () => {
    const [folder, bank] = [await openFolder(), await openBank()]
    const { owner, host } = await openProvider(folder, url)
    const env = { ...host, BANK_URL: bank.url }
    expect(await folder.node(['migrate.js'], owner).ended).toMatchObject({ code: 0 })
    await answerOf(folder, SETUP, env)

    const pending = ['pending', null]
    const first = [['completed', null], ['error', 'no funds'], pending, pending, pending]
    for (let times = 0; times < 2; times++) {
      expect(await answerOf(folder, TAKE, env)).toEqual(first)
      expect(bank.charges).toEqual([1, 2, 3, 4].map(id => `/charges/coffee/${id}`))
    }

    const reconcile = folder.node(['reconcile.js'], { ...env, OLDER_THAN_SECONDS: '0' })
    const { output } = await reconcile.ended
    expect(JSON.parse(output)).toEqual({ completed: 1, failed: 0, pending: 1, unknown: 1, errors: 0 })
    const [paid, declined, ...rest] = first
    expect(await answerOf(folder, TAKE, env)).toEqual([paid, declined, pending, paid, pending])
    expect(rest).toHaveLength(3)
    expect(bank.charges).toHaveLength(4)
  })

  test('a statement settles what agrees with it, and says what does not', { timeout: 300_000 }, async () => {
    const [folder, bank] = [await openFolder(), await openBank()]
    const { owner, host } = await openProvider(folder, url)
    const env = { ...host, BANK_URL: bank.url }
    expect(await folder.node(['migrate.js'], owner).ended).toMatchObject({ code: 0 })
    await answerOf(folder, SETUP, env)
    await answerOf(folder, TAKE, env)
    const header = 'Merchant,Payment,Gross,Fee'
    const lines = ['coffee,1,12.00,0.24', 'coffee,2,12.66,0.25', 'coffee,9,1.00,', 'coffee,1,12.00,0.24']
    await folder.write('statement.csv', [header, ...lines, ''].join('\n'))
    const run = async (...options: string[]) => {
      const settling = folder.node(['settle.js', 'statement.csv', 'BANK-0412', ...options], env)
      return (await settling.ended).output.trim().split('\n')
    }
    const differences = ['line 3: not_completed', 'line 4: unknown', 'line 5: twice']
    const first = [...differences, '{"settled":1,"already":0,"left":0}']
    expect(await run('--dry-run')).toEqual(first)
    expect(await run()).toEqual(first)
    expect(await run()).toEqual([...differences, '{"settled":0,"already":1,"left":0}'])
  })

  test('a customer goes to the bank, confirms there and comes back paid', { timeout: 300_000 }, async () => {
    const [folder, bank] = [await openFolder(), await openBank()]
    const { owner, host } = await openProvider(folder, url)
    const PORT = String(await freePort())
    const env = { ...host, BANK_URL: bank.url, PORT }
    expect(await folder.node(['migrate.js'], owner).ended).toMatchObject({ code: 0 })
    await answerOf(folder, SETUP, env)
    const page = folder.node(['pay-page.js'], env)
    await page.said(/^ready$/m)

    let cookie = ''
    async function open(address: string, init: RequestInit = {}): Promise<{ url: string; text: string }> {
      const answer = await fetch(address, { ...init, redirect: 'manual', headers: { cookie } })
      cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
      const location = answer.headers.get('location')
      return location ? open(new URL(location, address).href) : { url: address, text: await answer.text() }
    }
    const form = await open(`http://localhost:${PORT}/qr/counter?amount=1255`)
    const step = await open(form.url, { method: 'POST', body: new URLSearchParams({ total: '1255' }) })
    expect(step.text).toContain('<h1>Confirm your payment</h1>')
    expect(bank.charges).toEqual([])
    const back = await open(/data-go href="([^"]*)"/.exec(step.text)?.[1] ?? '')
    expect(back.text).toMatch(/<h1>Paid<\/h1>.*€12\.55/s)
    expect(bank.charges).toEqual(['/charges/coffee/1'])
    expect(await page.stop()).toMatchObject({ code: 0 })
  })

  test('an order and its payment are there together, or neither is', { timeout: 300_000 }, async () => {
    const folder = await openFolder()
    const { owner, host, administrator } = await openProvider(folder, url)
    expect(await folder.node(['migrate.js'], owner).ended).toMatchObject({ code: 0 })
    await answerOf(folder, SETUP, host)
    await asAdministrator(administrator, client =>
      client.query(`create table public.orders (
        id serial primary key, item text not null, payment_id bigint, paid boolean default false,
        check (payment_id is null or item <> 'moon')
      ); grant all on public.orders, public.orders_id_seq to public`),
    )
    const program = `
      import { db, orderPaid, placeOrder } from './orders.js'
      const refused = await placeOrder('moon', 450).catch(error => error.code)
      const [tea] = [await placeOrder('tea', 450), await placeOrder('cake', 600)]
      await orderPaid(tea)
      await orderPaid({ ...tea, id: 99 }).catch(error => error)
      const orders = await db.selectFrom('orders').select(['item', 'payment_id', 'paid']).orderBy('id').execute()
      const payments = await db.selectFrom('tillkit.tillkit_payments').select(['id', 'status']).orderBy('id').execute()
      console.log(JSON.stringify({ refused, orders, payments }))
      await db.destroy()
    `
    expect(await answerOf(folder, program, host)).toEqual({
      refused: '23514',
      orders: [
        { item: 'tea', payment_id: '1', paid: true },
        { item: 'cake', payment_id: '2', paid: false },
      ],
      payments: [
        { id: '1', status: 'completed' },
        { id: '2', status: 'pending' },
      ],
    })
  })
})
