import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Place } from './by-hand/by-hand.ts'

/** A server under test, in a process of its own. */
export interface Contender {
  name: string
  origin: string
  /** Microseconds of processor time that it has used. */
  cpu(): Promise<number>
  stop(): Promise<void>
}

/** Which packages it is made of: those that hosts get, or what they are built from. */
export type Packages = 'built' | 'source'

async function serve(
  name: string,
  program: string,
  args: string[],
  packages: Packages = 'built',
): Promise<Contender> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'servers', program), args, {
    execArgv: packages === 'source' ? ['--conditions=@tillkit/source'] : [],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const [port] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() =>
      Promise.reject(new Error(`the server ${name} did not start: is everything built?`)),
    ),
  ])
  return {
    name,
    origin: `http://127.0.0.1:${port}`,
    async cpu() {
      child.send('cpu')
      const [microseconds] = await once(child, 'message')
      return microseconds
    },
    async stop() {
      const gone = once(child, 'exit')
      if (child.kill()) await gone
    },
  }
}

export const byHand = (place: Place) => serve('by hand', 'by-hand.ts', [JSON.stringify(place)])

export const tillkit = (place: Place, adapter: 'node' | 'express' | 'fastify', packages?: Packages) =>
  serve(adapter, 'tillkit.ts', [JSON.stringify(place), adapter], packages)
