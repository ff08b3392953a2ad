import { execFile } from 'node:child_process'
import { delimiter, join, sep } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The path of a Node below 22: `NODE_20`, or one on the PATH that npm did not put there; undefined where there is none. */
export async function olderNode(): Promise<string | undefined> {
  const { NODE_20, PATH = '' } = process.env
  if (NODE_20) return NODE_20
  const folders = PATH.split(delimiter).filter(folder => folder && !folder.includes(`node_modules${sep}.bin`))
  for (const node of folders.map(folder => join(folder, 'node'))) {
    const version = await run(node, ['-p', 'process.versions.node']).catch(() => undefined)
    if (version && Number.parseInt(version.stdout, 10) < 22) return node
  }
  return undefined
}
