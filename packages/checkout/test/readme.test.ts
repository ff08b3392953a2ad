import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { PaymentProcessor } from '@tillkit/checkout'
import type { HttpHandler } from '@tillkit/http'
import type { Till } from '@tillkit/till'
import { expect, test } from 'vitest'
import { openShop, send } from './shop.ts'

const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
const [program = '', ownPage = ''] = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(match => match[1])

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(import.meta.dirname, 'readme-'))
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
    expect(String((await send(handler, target)).body)).toContain('Harbour Books<button>Pay €18.50')
    const presses = await Promise.all([1, 2, 3].map(() => send(handler, target, { form: {} })))
    expect(presses.map(({ body }) => String(body)).join()).toContain('€18.50: completed')
    expect(processor.charged).toHaveLength(1)
    expect(String((await send(handler, target)).body)).toContain('€18.50: completed')
    expect((await send(handler, '/nobody')).status).toBe(404)
  })
})
