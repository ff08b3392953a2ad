import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@tillkit/servers'
import { start, succeed } from './command.ts'
import type { Folder } from './folder.ts'
import type { Program } from './readme.ts'
import { askServer } from './server.ts'

/** What a program is run with. */
export interface ProgramOptions {
  /** The folder of the Node. */
  node: string
  /** A name that no other run in the folder has. */
  run: string
  env?: NodeJS.ProcessEnv
}

/**
 * Saves a program in a folder and runs it there, in an empty folder of its own. One that ends has to end well; one that
 * listens has to answer, and to stop when it is told to. Rejects with what went wrong.
 */
export async function runProgram(folder: Folder, program: Program, options: ProgramOptions): Promise<void> {
  const { node, run, env } = options
  const { source, language } = program
  if (program.isTest) {
    await folder.save(`${run}.test.mts`, source)
    const words = ['node', join('node_modules', 'vitest', 'vitest.mjs'), 'run', `${run}.test.mts`]
    await succeed(words, { cwd: folder.path, node, env })
    return
  }
  const cwd = join(folder.path, run)
  await mkdir(cwd)
  const written = /\b(?:listen\(|port: )(?:\{ port: )?([1-9]\d*)/.exec(source)?.[1]
  const port = await freePort()
  const runnable = written === undefined ? source : source.replaceAll(written, String(port))
  const file = await folder.save(`${run}.m${language}`, runnable)
  const words = ['node', file]
  if (written === undefined) await succeed(words, { cwd, node, env })
  else {
    const printsAddress = /console\.log\(.*http/.test(source)
    await askServer({ child: start(words, { cwd, node, env }), port, printsAddress })
  }
}
