import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { succeed } from './command.ts'

/** A folder outside of the repository, and what is done there. */
export interface Folder {
  path: string
  /** Runs `npm install` with these words. */
  install(words: readonly string[]): Promise<void>
  /** Saves a file and returns its path. */
  save(name: string, text: string): Promise<string>
}

/** How folders are made. */
export interface FolderOptions {
  /** The address of the registry that has the `@tillkit` packages. */
  registry: string
  /** The folder of the Node that npm runs on. */
  node: string
}

/** Makes an empty folder with a package.json. */
export async function newFolder(path: string, { registry, node }: FolderOptions): Promise<Folder> {
  await mkdir(path, { recursive: true })
  const save = async (name: string, text: string) => {
    const file = join(path, name)
    await writeFile(file, text)
    return file
  }
  await save('package.json', '{ "private": true }\n')
  await save('.npmrc', `@tillkit:registry=${registry}\n`)
  const install = async (words: readonly string[]) => {
    const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--no-update-notifier']
    await succeed(['npm', 'install', ...quietly, ...words], { cwd: path, node })
  }
  return { path, install, save }
}
