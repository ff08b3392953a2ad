/**
 * `node guard.ts NPM`, in the folder of a package that is being packed: waits until the package.json is put back, or until the
 * npm that packs is gone, and then puts it back itself. npm runs no script of ours when a pack fails.
 */
import { setTimeout } from 'node:timers/promises'
import { isSwapped, putBack } from './manifest.ts'

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const npm = Number(process.argv[2])
while (isSwapped(process.cwd()) && isAlive(npm)) await setTimeout(100)
putBack(process.cwd())
