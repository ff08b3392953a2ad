import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnServer } from './own-server.ts'
import { type Supervised, type Supervision, supervise } from './supervise.ts'

/** What it takes to run a server. */
export interface ServerParts {
  /** For messages. */
  name: string
  url: string
  command: string[]
  supervision: Supervision
  /** Rejects until the server takes connections. */
  answers(): Promise<unknown>
}

/** What PostgreSQL says while the children of one that was killed are still going. */
const TOO_EARLY = /pre-existing shared memory block|lock file .* already exists/

/** Starts a server whose data are there already. Rejects with what it said where it does not start. */
export async function serverOf({
  name,
  url,
  command,
  supervision,
  answers,
}: ServerParts): Promise<OwnServer> {
  let running: Supervised | undefined

  async function start(): Promise<void> {
    for (let early = 0; ; early++) {
      const server = await supervise(command, supervision)
      let words: string | undefined
      void server.gone.then(last => {
        words = last
        if (running === server) running = undefined
      })
      while (words === undefined) {
        running = server
        if (
          await answers().then(
            () => true,
            () => false,
          )
        )
          return
        await sleep(20)
      }
      running = undefined
      if (!TOO_EARLY.test(words) || early === 50) throw new Error(`${name} did not start: ${words}`)
      await sleep(100)
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const server = running
    running = undefined
    if (!server) return
    process.kill(server.pid, signal)
    // A server keeps no process alive, but whoever waits for its end stays for it.
    const awake = setInterval(() => {}, 60_000)
    await server.gone.finally(() => clearInterval(awake))
  }

  const stop = () => end(`SIG${supervision.signal}`)
  await start()
  return {
    url,
    start,
    stop,
    kill: () => end('SIGKILL'),
    running: () => running !== undefined,
    async remove() {
      await stop()
      await rm(supervision.folder, { recursive: true, force: true })
    },
  }
}
