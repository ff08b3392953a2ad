import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@tillkit/servers'
import { describe, expect, test } from 'vitest'
import { type Folder, openFolder } from './folder.ts'
import { commandsOf, fileOf, readPage } from './page.ts'
import { overPostgres } from './postgres.ts'

const PAGE = 'first-payment.md'
const FILES = ['till.js', 'setup.js', 'receiver.js', 'server.js']

/** Turns the addresses of the page into ports that are free. */
async function movedPorts(): Promise<(text: string) => string> {
  const [server, receiver] = [String(await freePort()), String(await freePort())]
  return text => text.replaceAll('3000', server).replaceAll('4000', receiver)
}

describe('the first payment', () => {
  test('what its programs import is what it installs', () => {
    const imported = FILES.flatMap(file =>
      [...fileOf(PAGE, file).matchAll(/from '((?:@tillkit\/)?[a-z][\w-]*)/g)].map(([, name]) => name),
    )
    const line = commandsOf(PAGE).find(command => command.startsWith('npm install ')) ?? ''
    // Express and pg are handed to packages that take them as peers; pg is imported by none of the programs.
    expect(line.split(' ').slice(2).sort()).toEqual([...new Set([...imported, 'pg'])].sort())
  })

  overPostgres(DATABASE_URL => {
    test('a QR code is paid, the webhook arrives, and all of it goes on where it was', {
      timeout: 300_000,
    }, async () => {
      const folder = await openFolder()
      const moved = await movedPorts()
      for (const file of FILES) await folder.write(file, moved(fileOf(PAGE, file)))
      const env = { DATABASE_URL }

      for (const [index, signal] of (['SIGINT', 'SIGTERM'] as const).entries()) {
        await setUp(folder, env)
        const receiver = folder.node(['--env-file=merchant.env', 'receiver.js'])
        await receiver.said(/waiting for webhooks/)
        const host = folder.node(['server.js'], env)
        await host.said(/ready/)

        await drawn(folder, moved)
        await pay(moved(/<(http:\S+)>/.exec(readPage(PAGE))?.[1] ?? ''))
        await receiver.said(/payment \d of order-1: 1850 cents, completed\n/)
        expect(await list(folder, moved)).toMatchObject(
          [1, 2].slice(0, index + 1).map(() => ({ status: 'completed', merchantReference: 'order-1' })),
        )
        for (const program of [host, receiver]) expect(await program.stop(signal)).toMatchObject({ code: 0 })
      }
    })
  })
})

async function setUp(folder: Folder, env: { DATABASE_URL: string }): Promise<void> {
  const setup = folder.run('sh', ['-c', '"$NODE" --conditions=@tillkit/source setup.js > merchant.env'], {
    ...env,
    NODE: process.execPath,
  })
  expect(await setup.ended).toMatchObject({ code: 0 })
}

/** Runs the page's `curl` that draws the QR code. */
async function drawn(folder: Folder, moved: (text: string) => string): Promise<void> {
  const [draw = ''] = commandsOf(PAGE).filter(command => command.startsWith('curl -o'))
  const [, file = '', url = ''] = /^curl -o (\S+) '(\S+)'$/.exec(draw) ?? []
  const answer = await fetch(moved(url))
  await folder.write(file, await answer.text())
  expect(await readFile(join(folder.path, file), 'utf8')).toMatch(/^<svg/)
}

/** What a browser does: it follows the address, keeps the cookie and presses the button. */
async function pay(url: string): Promise<void> {
  const scanned = await fetch(url, { redirect: 'manual' })
  const cookie = scanned.headers
    .getSetCookie()
    .map(line => line.split(';')[0])
    .join('; ')
  const form = new URL(scanned.headers.get('location') ?? '', url)
  expect(await (await fetch(form, { headers: { cookie } })).text()).toContain('€18.50')
  const body = new URLSearchParams({ total: '1850' })
  const paid = await fetch(form, { method: 'POST', headers: { cookie }, body })
  expect(await paid.text()).toMatch(/<h1>Paid<\/h1>/)
}

/** Runs the page's other `curl`s, with the key that setup.js wrote, and returns what the first one answers. */
async function list(folder: Folder, moved: (text: string) => string): Promise<unknown> {
  const curls = commandsOf(PAGE).filter(command => command.startsWith('curl -u'))
  const answers: unknown[] = []
  for (const curl of curls) {
    const shell = folder.run('sh', ['-c', `. ./merchant.env\n${moved(curl).replace('curl', 'curl -sSf')}`])
    const { code, output } = await shell.ended
    expect([code, output]).toEqual([0, expect.stringMatching(/^[[{]/)])
    answers.push(JSON.parse(output))
  }
  expect(answers).toHaveLength(3)
  return answers[0]
}
