import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import mysql from 'mysql2/promise'
import { freePort, type OwnServer } from './own-server.ts'

const run = promisify(execFile)

/** Starts a MariaDB server of its own; rejects where MariaDB is not installed. */
export async function ownMariadb(): Promise<OwnServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tillkit-mariadb-'))
  const [data, socket] = [join(folder, 'data'), join(folder, 'socket')]
  const user = `--user=${userInfo().username}`
  const port = await freePort()
  const url = `mysql://root@127.0.0.1:${port}/test`
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    const options = ['--no-defaults', `--datadir=${data}`, `--socket=${socket}`, `--port=${port}`, user]
    server = spawn('mariadbd', [...options, '--bind-address=127.0.0.1', `--pid-file=${folder}/pid`], {
      stdio: 'ignore',
    })
    const failed = once(server, 'exit').then(([code]) => {
      throw new Error(`mariadbd ended with ${code}`)
    })
    failed.catch(() => {})
    await Promise.race([failed, answered()])
  }

  async function answered(): Promise<void> {
    for (;;) {
      try {
        await (await mysql.createConnection(`mysql://root@127.0.0.1:${port}`)).end()
        return
      } catch {
        await sleep(50)
      }
    }
  }

  async function stop(): Promise<void> {
    if (!server || server.exitCode !== null) return
    server.kill('SIGTERM')
    await once(server, 'exit')
  }

  const install = [`--datadir=${data}`, '--auth-root-authentication-method=normal', user]
  await run('mariadb-install-db', ['--no-defaults', ...install])
  await start()
  const connection = await mysql.createConnection(`mysql://root@127.0.0.1:${port}`)
  await connection.query('create database if not exists test')
  await connection.end()
  return {
    url,
    start,
    stop,
    async remove() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
