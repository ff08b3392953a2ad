import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  freePort,
  isLeftOver,
  type OwnServer,
  ownMariadb,
  ownMysql,
  ownPostgres,
  placeName,
} from '@tillkit/servers'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'

async function askPostgres(url: string, query: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query({ text: query, rowMode: 'array' })
    return rows.flat()
  } finally {
    await client.end()
  }
}

async function askMysql(url: string, query: string): Promise<unknown[]> {
  const connection = await mysql.createConnection(url)
  try {
    const [rows] = await connection.query({ sql: query, rowsAsArray: true })
    return [rows].flat(2)
  } finally {
    await connection.end()
  }
}

/** The program of MySQL's server, where there is one. */
const MYSQLD = process.env.TILLKIT_MYSQLD

const SERVERS: [name: string, start: () => Promise<OwnServer>, ask: typeof askPostgres][] = [
  ['PostgreSQL', () => ownPostgres({ settings: { fsync: 'on' } }), askPostgres],
  ['MariaDB', ownMariadb, askMysql],
  ['MySQL', () => ownMysql({ program: MYSQLD ?? '' }), askMysql],
]

/** How a process of its own starts one. */
const STARTED: Record<string, string> = {
  PostgreSQL: 'ownPostgres()',
  MariaDB: 'ownMariadb()',
  MySQL: 'ownMysql({ program: process.env.TILLKIT_MYSQLD })',
}

const answers = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

describe.each(SERVERS)('%s', (name, start, ask) => {
  beforeEach(context => {
    if (name === 'MySQL' && MYSQLD === undefined)
      context.skip('TILLKIT_MYSQLD names no server program of MySQL')
  })

  test('keeps what was written when it is stopped and when it is killed, and leaves nothing', {
    timeout: 300_000,
  }, async context => {
    const server = await start().catch(error => {
      if (process.env.CI === 'true') throw error
      return context.skip(`${name} cannot be started here: ${error?.message}`)
    })
    await ask(server.url, 'create table kept (n int)')
    for (const [n, end] of (['stop', 'kill', 'kill', 'stop'] as const).entries()) {
      await ask(server.url, `insert into kept values (${n})`)
      await server[end]()
      await expect(ask(server.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/)
      await server.start()
    }
    expect((await ask(server.url, 'select n from kept order by n')).map(Number)).toEqual([0, 1, 2, 3])
    await server.remove()
    expect(await answers(Number(new URL(server.url).port))).toBe(false)
  })

  test('is waited for by a process that has nothing else to do', { timeout: 300_000 }, async context => {
    const source = `import { ownMariadb, ownMysql, ownPostgres } from '@tillkit/servers'
      const server = await ${STARTED[name]}.catch(error => error)
      if (server instanceof Error) console.log(server.message)
      else {
        await server.stop()
        await server.start()
        await server.remove()
        console.log('removed')
      }`
    const flags = ['--conditions=@tillkit/source', '--input-type=module', '-e', source]
    const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: import.meta.dirname })
    if (process.env.CI !== 'true' && stdout.trim() !== 'removed') return context.skip(stdout)
    expect(stdout.trim()).toBe('removed')
  })

  test.for([
    ['is gone, and its folder too, when the process that started it is killed', false],
    ['is gone then even when it hangs', true],
  ] as const)('%s', { timeout: 300_000 }, async ([, hangs], context) => {
    // Its temporary files are in a folder of its own, which is as open as the system's.
    const folder = await mkdtemp(join(tmpdir(), 'tillkit-owner-'))
    await chmod(folder, 0o1777)
    const child: ChildProcess = fork(join(import.meta.dirname, 'processes/owner.ts'), [name], {
      execArgv: ['--conditions=@tillkit/source'],
      env: { ...process.env, TMPDIR: folder },
    })
    // Where no server can be had it would wait for ever, and keep what it shares with this process open.
    onTestFinished(() => void child.kill('SIGKILL'))
    const [{ url, failed }] = (await once(child, 'message')) as [Record<string, string>]
    if (failed !== undefined && process.env.CI !== 'true') return context.skip(failed)
    expect(failed).toBeUndefined()
    expect(await ask(url ?? '', 'select 1')).toEqual([1])
    const [place = ''] = await readdir(folder)
    expect(place).toMatch(/^tillkit-(postgres|mariadb|mysql)-/)
    if (hangs) {
      const pid = await readFile(
        join(folder, place, name === 'PostgreSQL' ? 'data/postmaster.pid' : 'pid'),
        'utf8',
      )
      process.kill(Number.parseInt(pid, 10), 'SIGSTOP')
    }
    child.kill('SIGKILL')
    while ((await readdir(folder)).length > 0) await sleep(50)
    await rm(folder, { recursive: true })
    expect(await answers(Number(new URL(url ?? '').port))).toBe(false)
  })
})

test('a server that cannot start says why at once', async context => {
  const taken = await ownPostgres().catch(error => context.skip(error?.message))
  const failed = ownPostgres({ settings: { max_connections: 'many' } })
  await expect(failed).rejects.toThrow(/PostgreSQL did not start: .*max_connections/s)
  await taken.remove()
})

test('what a killed process left on a shared server is known by its name', async () => {
  expect(isLeftOver(placeName())).toBe(false)
  expect(placeName().length).toBeLessThanOrEqual(32) // of a user on MySQL
  expect(isLeftOver('Tillkit-0123456789ab')).toBe(false)
  const source = `import { placeName } from '@tillkit/servers'; console.log(placeName())`
  const flags = ['--conditions=@tillkit/source', '--input-type=module', '-e', source]
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: import.meta.dirname })
  expect(isLeftOver(stdout.trim())).toBe(true)
  expect(await answers(await freePort())).toBe(false)
})
