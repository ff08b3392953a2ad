import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY, type Tarball } from '@tillkit/tarballs'
import semver from 'semver'
import { enginesAreTrue } from '../engines.ts'
import { entriesOf } from '../entries.ts'
import type { Folder } from '../folder.ts'
import { OF_HOSTS, type Version, WITH_TYPESCRIPT } from '../nodes.ts'
import { runProgram } from '../program.ts'
import { type Program, programsOf, type Step, stepsOf } from '../readme.ts'
import type { Stay, Visit } from '../stay.ts'

/** Where npm and TypeScript are tried: they care for no Node. */
const NODE: Version = '24.21.0'

/** A visit for each README: does what it says, line by line, in an empty folder, and compiles what is TypeScript. */
export function readmeVisits(tarballs: readonly Tarball[]): Visit[] {
  const repositorys: Place = {
    of: 'README.md',
    readme: readFileSync(join(REPOSITORY, 'README.md'), 'utf8'),
    oldest: OF_HOSTS[0] ?? '',
    entries: [],
  }
  const theirs = tarballs.map(
    (tarball): Place => ({
      of: tarball.manifest.name,
      readme: tarball.files.get('README.md') ?? '',
      oldest: semver.minVersion(tarball.manifest.engines?.node ?? '*')?.version ?? '',
      entries: entriesOf(tarball),
    }),
  )
  return [...theirs, repositorys].map(place => stay => follow(place, stay))
}

interface Place {
  of: string
  readme: string
  /** What can be imported of the package that it is about. */
  entries: string[]
  /** The oldest Node that it names. */
  oldest: string
}

async function follow({ of, readme, entries, oldest }: Place, stay: Stay): Promise<void> {
  const { results } = stay
  const steps = stepsOf(readme)
  const folder = await stay.folder(of)
  if (!steps.some(step => 'install' in step)) {
    await results.try(of, 'npm install', NODE, () =>
      Promise.reject(new Error('the README names nothing to install')),
    )
  }
  for (const step of steps) {
    if ('install' in step) {
      const line = `npm install ${step.install.join(' ')}`
      if (!(await results.try(of, line, NODE, () => folder.install(step.install)))) return
      if (step !== steps.find(step => 'install' in step)) continue
      await results.try(of, 'engines', NODE, () => enginesAreTrue(folder, oldest))
    } else await runEverywhere(of, step.program, folder, stay)
  }
  await compileAlone({ of, steps, entries, folder }, stay)
}

async function runEverywhere(
  of: string,
  program: Program,
  folder: Folder,
  { nodes, results, database }: Stay,
): Promise<void> {
  for (const version of program.language === 'ts' ? WITH_TYPESCRIPT : OF_HOSTS) {
    await results.try(of, program.name, version, async () => {
      const env = program.source.includes('DATABASE_URL') ? { DATABASE_URL: await database() } : {}
      const run = `${program.name} on ${version}`.replaceAll(' ', '-')
      await runProgram(folder, program, { node: nodes[version], run, env })
    })
  }
}

interface Words {
  of: string
  steps: Step[]
  entries: string[]
  folder: Folder
}

/** Compiles the programs, and a file that imports all that there is: with the newest TypeScript, where nothing else is installed. */
async function compileAlone(
  { of, steps, entries, folder }: Words,
  { results, compile }: Stay,
): Promise<void> {
  for (const { name, language, source } of programsOf(steps)) {
    if (language === 'ts') await folder.save(`${name.replace(' ', '-')}.mts`, source)
  }
  const imports = entries.map((name, i) => `import * as entry${i} from '${name}'\nconsole.log(entry${i})\n`)
  await folder.save('entries.mts', `${imports.join('')}export {}\n`)
  const project = {
    typescript: '6.0',
    modules: 'nodenext',
    include: ['program-?.mts', 'entries.mts'],
  } as const
  await results.try(of, 'TypeScript 6.0, nodenext', NODE, () => compile(folder, project))
}
