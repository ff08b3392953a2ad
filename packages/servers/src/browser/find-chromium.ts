import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** The Chromium on the path; nothing where there is none. In CI that is an error: a skipped test proves nothing. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = folders.flatMap(folder => NAMES.map(name => join(folder, name))).find(isProgram)
  if (found === undefined && process.env.CI) throw new Error('there is no Chromium: apt-get install chromium')
  return found
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
