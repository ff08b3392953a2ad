import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { join } from 'node:path'
import type { PaymentProcessor } from '@tillkit/checkout'
import type { HttpHandler } from '@tillkit/http'
import { freePort } from '@tillkit/servers'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill, type Till } from '@tillkit/till'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openShop, send } from './shop.ts'

const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
const [program = '', forShop = '', crash = '', signed = '', ownPage = ''] = [
  ...readme.matchAll(/```ts\n(.*?)```/gs),
].map(match => match[1])

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(import.meta.dirname, '../.scratch-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('the program runs, and a customer can pay at the URL that it prints', async () => {
  await inFolder(async folder => {
    const port = await freePort()
    await writeFile(join(folder, 'program.ts'), program.replaceAll('3000', String(port)))
    const child = spawn(process.execPath, ['--conditions=@tillkit/source', 'program.ts'], { cwd: folder })
    try {
      child.stderr.pipe(process.stderr)
      const [line] = await once(child.stdout, 'data')
      const page = await fetch(String(line).trim())
      expect(await page.text()).toContain('Pay €18.50')
      const paid = await fetch(page.url, { method: 'POST', body: new URLSearchParams({ total: '1850' }) })
      expect(await paid.text()).toMatch(/<h1>Paid<\/h1>.*Corner Coffee.*order-1.*€18\.50/s)
    } finally {
      child.kill()
      await once(child, 'close')
    }
  })
})

test('the program for a shop runs, in the customer’s language, with tips and a way back', async () => {
  await inFolder(async folder => {
    const port = await freePort()
    await writeFile(join(folder, 'program.ts'), forShop.replaceAll('3000', String(port)))
    const child = spawn(process.execPath, ['--conditions=@tillkit/source', 'program.ts'], { cwd: folder })
    try {
      child.stderr.pipe(process.stderr)
      const [line] = await once(child.stdout, 'data')
      const ask = (language: string, body?: URLSearchParams) =>
        fetch(String(line).trim(), {
          headers: { 'accept-language': language },
          ...(body && { method: 'POST', body }),
        })
      const german = await ask('de-DE')
      const page = await german.text()
      for (const text of [
        'Bedienung',
        '0,93',
        '10\u00a0%',
        'https://shop.example.com/thanks',
        'Zurück zu Café',
      ])
        expect(page).toContain(text)
      expect(await (await ask('pl')).text()).toContain('<html lang="nl"')
      const paid = await fetch(german.url, {
        method: 'POST',
        headers: { 'accept-language': 'de-DE' },
        body: new URLSearchParams({ 'tip-choice': '5%', total: '1943' }),
      })
      expect((await paid.text()).replaceAll('\u00a0', ' ')).toMatch(
        /<h1>Bezahlt<\/h1>.*0,93 €.*19,43 €.*shop\.example/s,
      )
    } finally {
      child.kill()
      await once(child, 'close')
    }
  })
})

test('the program about signed links runs, and takes the link that it prints and no other', async () => {
  await inFolder(async folder => {
    const port = await freePort()
    await writeFile(join(folder, 'program.ts'), signed.replaceAll('3000', String(port)))
    const child = spawn(process.execPath, ['--conditions=@tillkit/source', 'program.ts'], { cwd: folder })
    try {
      child.stderr.pipe(process.stderr)
      const [line] = await once(child.stdout, 'data')
      const link = String(line).trim()
      const page = await fetch(link)
      expect(await page.text()).toContain('Pay €18.50')
      for (const wrong of [
        link.replace('1850', '1'),
        link.replace(/\?.*/, ''),
        link.replace(/&scan_code.*/, ''),
      ])
        expect((await fetch(wrong)).status).toBe(400)
    } finally {
      child.kill()
      await once(child, 'close')
    }
  })
})

/** A bank that books what it is told to charge, and answers questions, but not the charge itself. */
async function mutedBank() {
  const booked: string[] = []
  const server = createHttpServer((request, response) => {
    request.resume()
    if (request.method === 'PUT') return void booked.push(request.url ?? '')
    response.statusCode = booked.includes(request.url ?? '') ? 200 : 404
    response.end('{"status":"completed"}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { booked, port: (server.address() as { port: number }).port }
}

test('killed between the charge and the record, the program ends well: charged once, and completed', async () => {
  const bank = await mutedBank()
  await inFolder(async folder => {
    const port = await freePort()
    const written = crash
      .replaceAll('localhost:3000', `127.0.0.1:${port}`)
      .replace('listen(3000)', `listen(${port}, '127.0.0.1', () => console.log('ready'))`)
      .replace('localhost:4000', `127.0.0.1:${bank.port}`)
    const storage = sqliteStorage({ file: join(folder, 'till.db') })
    await storage.migrate()
    const till = createTill({ storage })
    const { id } = await till.merchants.create({ name: 'Corner Coffee' })
    const { code } = await till.scanCodes.create(id)

    const start = async (source: string) => {
      await writeFile(join(folder, 'program.ts'), source)
      const child = spawn(process.execPath, ['--conditions=@tillkit/source', 'program.ts'], { cwd: folder })
      child.stderr.pipe(process.stderr)
      await once(child.stdout, 'data')
      return child
    }
    const kill = async (child: Awaited<ReturnType<typeof start>>) => {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
    let child = await start(written)
    try {
      const { url } = await fetch(`http://127.0.0.1:${port}/qr/${code}?amount=1850`)
      const pressed = fetch(url, { method: 'POST', body: new URLSearchParams({ total: '1850' }) })
      pressed.catch(() => {})
      await vi.waitFor(() => expect(bank.booked).toHaveLength(1), { timeout: 120_000 })
      await kill(child)
      await pressed.catch(() => {})
      expect(await till.payments.get(id, 1)).toMatchObject({ status: 'pending' })

      child = await start(
        written.replace('olderThanSeconds: 120', 'olderThanSeconds: 0').replace('60_000', '200'),
      )
      await vi.waitFor(
        async () => expect(await till.payments.get(id, 1)).toMatchObject({ status: 'completed' }),
        {
          timeout: 120_000,
        },
      )
      expect(bank.booked).toHaveLength(1)
      expect((await till.payments.list(id)).total).toBe(1)
    } finally {
      await kill(child)
      await till.close()
      await storage.close()
    }
  })
})

test('the page of one’s own pays once', async () => {
  await inFolder(async folder => {
    await writeFile(join(folder, 'own-page.ts'), ownPage)
    const module: { ownPage: (till: Till, processor: PaymentProcessor) => HttpHandler } = await import(
      join(folder, 'own-page.ts')
    )
    const { till, processor } = await openShop()
    const handler = module.ownPage(till, processor)
    const scanned = await send(handler, '/shelf?amount=1850&id=%3Cb%3E')
    const target = `/${scanned.headers.Location}`
    const cookie = scanned.headers['Set-Cookie']?.split(';')[0]
    expect(String((await send(handler, target, { cookie })).body)).toContain(
      'Harbour Books<button>Pay €18.50',
    )
    const presses = await Promise.all([1, 2, 3].map(() => send(handler, target, { form: {}, cookie })))
    expect(presses.map(({ body }) => String(body)).join()).toContain('€18.50: completed')
    expect(processor.charged).toHaveLength(1)
    expect(String((await send(handler, target, { cookie })).body)).toContain('€18.50: completed')
    for (const sent of [{}, { form: {} }]) {
      expect(String((await send(handler, target, sent)).body)).toContain('Scan the code again')
    }
    expect((await send(handler, '/nobody')).status).toBe(404)
  })
})
