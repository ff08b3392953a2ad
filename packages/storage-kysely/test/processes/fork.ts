import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Starts a program of this folder in a process of its own; `task` is its one argument. */
export function forkProgram(program: string, task: object): ChildProcess {
  return fork(fileURLToPath(new URL(program, import.meta.url)), [JSON.stringify(task)], {
    execArgv: ['--conditions=@tillkit/source'],
  })
}

/** How the process ended: its exit code, or the signal that killed it. */
export async function end(child: ChildProcess): Promise<number | NodeJS.Signals> {
  if (child.exitCode !== null) return child.exitCode
  if (child.signalCode !== null) return child.signalCode
  const [code, signal] = await once(child, 'exit')
  return code ?? signal
}
