import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Entry } from '../journal/entry.ts'
import { entriesIn, followJournal } from '../journal/journal.ts'
import { StandsStill, until } from '../until.ts'
import type { Orders } from './program.ts'

type ProgramName = 'shop' | 'worker' | 'receiver' | 'bank' | 'host'

/** A process that was started. */
export interface Member {
  name: string
  /** Where it listens; undefined where it does not. */
  port: number | undefined
  alive(): boolean
  /** What it has written down so far. */
  count(): { done: number; refused: number }
  tell(message: object): void
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>
  /** SIGSTOP, and SIGCONT. */
  stand(): void
  goOn(): void
  /** Asks it to end what it is doing, and waits for that. */
  stop(): Promise<void>
}

/** The processes of one round. */
export interface Crew {
  /** Starts a program and waits until it is set up. */
  start<Told extends Orders>(program: ProgramName, orders: Omit<Told, keyof Orders>): Promise<Member>
  /** What all of them have written down so far. */
  count(): { done: number; refused: number }
  /** Everything that any of them ever wrote down. */
  entries(): Entry[]
  /** Processes that ended though nobody asked them to, or would not end. */
  casualties: string[]
  /** Throws `StandsStill` where there are such. */
  mourn(): void
  /** Kills whoever is left. */
  close(): Promise<void>
}

/** Where programs keep what they were compiled to, so that the next ones start sooner. */
const COMPILED = process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'tillkit-faults-compiled')

/** Whose processes write into `folder`. Each has a seed of its own, from `seed` on. */
export function createCrew(folder: string, seed: number, signal: AbortSignal): Crew {
  const members: { member: Member; file: string }[] = []
  const casualties: string[] = []

  async function start(program: ProgramName, orders: object): Promise<Member> {
    const name = `${program}-${members.length + 1}`
    const file = join(folder, `${name}.journal`)
    const told = { ...orders, journal: file, seed: seed + members.length }
    const child = fork(fileURLToPath(new URL(`${program}.ts`, import.meta.url)), [JSON.stringify(told)], {
      execArgv: ['--conditions=@tillkit/source', '--no-warnings', '--expose-gc'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
    })
    const member = watched(name, child, file, casualties, signal)
    members.push({ member, file })
    // One that ends before that is a casualty, or was killed.
    const [message] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [{}])])
    member.port = (message as { port?: number }).port
    return member
  }

  return {
    start,
    casualties,
    count() {
      const all = members.map(({ member }) => member.count())
      return {
        done: all.reduce((sum, { done }) => sum + done, 0),
        refused: all.reduce((sum, { refused }) => sum + refused, 0),
      }
    },
    entries: () => members.flatMap(({ file }) => entriesIn(file)),
    mourn() {
      if (casualties.length > 0) throw new StandsStill(`it is not as it was: ${casualties.length} casualties`)
    },
    async close() {
      await Promise.all(members.map(({ member }) => member.kill()))
    },
  }
}

function watched(
  name: string,
  child: ChildProcess,
  file: string,
  casualties: string[],
  signal: AbortSignal,
): Member {
  let [wanted, said] = [false, '']
  const alive = () => child.exitCode === null && child.signalCode === null
  const ended = once(child, 'close').then(([code, killedBy]) => {
    if (!wanted) casualties.push(`${name} ended by itself (${killedBy ?? code}): ${said}`)
    else if (code !== null && code !== 0) casualties.push(`${name} ended with ${code}: ${said}`)
  })
  child.stderr?.on('data', data => {
    said = `${said}${data}`.slice(-3000)
  })
  child.on('error', () => {})
  const count = followJournal(file)

  const kill = async () => {
    wanted = true
    child.kill('SIGKILL')
    await ended
  }
  return {
    name,
    port: undefined,
    alive,
    count,
    kill,
    tell: message => void child.send(message),
    stand: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    async stop() {
      wanted = true
      child.kill('SIGCONT')
      if (alive()) child.send('stop', () => {})
      try {
        await until(() => !alive(), `${name} to end`, { signal, moving: () => count().done })
      } catch (error) {
        if (!(error instanceof StandsStill)) throw error
        casualties.push(`${name} did not end when it was asked to: ${said}`)
        await kill()
      }
      await ended
    },
  }
}
