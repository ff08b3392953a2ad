import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { Redis } from 'ioredis'

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0

/** A Redis server of this test's own. It keeps nothing. */
export interface RedisServer {
  port: number
  /** Waits until the server answers. */
  ready(): Promise<void>
  /** How many keys it holds. */
  size(): Promise<number>
  signal(signal: NodeJS.Signals): void
  /** Kills it, unless it is gone. */
  kill(): Promise<void>
}

export function startRedis(port: number): RedisServer {
  const flags = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()]
  const server: ChildProcess = spawn('redis-server', ['--port', String(port), ...flags], { stdio: 'ignore' })
  const failed = once(server, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => {})

  async function asking<Answer>(ask: (client: Redis) => Promise<Answer>): Promise<Answer> {
    const client = new Redis({ port, retryStrategy: () => 50, maxRetriesPerRequest: null })
    client.on('error', () => {})
    try {
      return await Promise.race([ask(client), failed])
    } finally {
      client.disconnect()
    }
  }

  return {
    port,
    ready: () => asking(async client => void (await client.ping())),
    size: () => asking(client => client.dbsize()),
    signal: signal => void server.kill(signal),
    async kill() {
      if (server.exitCode !== null || server.signalCode !== null) return
      const gone = once(server, 'exit')
      server.kill('SIGKILL')
      await gone
    },
  }
}
