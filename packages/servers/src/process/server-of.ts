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
  /** Asks whatever listens at the port whether it is this server. Rejects, within seconds, while nothing takes connections there. */
  isThere(): Promise<boolean>
}

/** What PostgreSQL says while the children of one that was killed are still going. */
const TOO_EARLY = /pre-existing shared memory block|lock file .* already exists/

/** Starts a server whose data are there already. Rejects with what it said where it does not start. */
export async function serverOf({
  name,
  url,
  command,
  supervision,
  isThere,
}: ServerParts): Promise<OwnServer> {
  let running: Supervised | undefined

  async function start(): Promise<void> {
    for (let early = 0; ; early++) {
      const server = await supervise(command, supervision)
      running = server
      const words = await Promise.race([server.gone, untilItAnswers(server)])
      if (words === undefined) return
      running = undefined
      if (!TOO_EARLY.test(words) || early === 50) throw new Error(`${name} did not start: ${words}`)
      await sleep(100)
    }
  }

  /** Until it is that server that answers, and not another one which was given the port. */
  async function untilItAnswers(server: Supervised): Promise<void> {
    let gone = false
    void server.gone.then(() => {
      gone = true
      if (running === server) running = undefined
    })
    while (!gone) {
      if (await isThere().catch(() => false)) return
      await sleep(20)
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
