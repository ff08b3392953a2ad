import { access, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { succeed } from './command.ts'

/** The Nodes that are tried, as npm's package `node` has them: the first of those that are promised, and the last of each line. */
const VERSIONS = ['18.0.0', '20.20.2', '22.14.0', '22.23.3', '24.21.0'] as const

export type Version = (typeof VERSIONS)[number]

/** Those that run TypeScript. */
export const WITH_TYPESCRIPT: readonly Version[] = ['22.23.3', '24.21.0']
/** Those that a host may run on. */
export const OF_HOSTS: readonly Version[] = ['22.14.0', ...WITH_TYPESCRIPT]
/** Those that a merchant may run on. */
export const OF_MERCHANTS: readonly Version[] = VERSIONS

/** The folder of each Node's program. */
export type Nodes = Record<Version, string>

/** Installs the Nodes from npm, each into a folder of its own. */
export async function installNodes(parent: string): Promise<Nodes> {
  const installed: [Version, string][] = []
  for (const version of VERSIONS) installed.push([version, await installNode(join(parent, version), version)])
  return Object.fromEntries(installed) as Nodes
}

async function installNode(folder: string, version: Version): Promise<string> {
  if (process.versions.node === version) return dirname(process.execPath)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "private": true, "allowScripts": { "node": true } }\n')
  const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--no-update-notifier']
  await succeed(['npm', 'install', ...quietly, `node@${version}`], { cwd: folder })
  const programs = join(folder, 'node_modules/node/bin')
  await access(join(programs, 'node'))
  return programs
}
