import { readdir, readFile } from 'node:fs/promises'

/** Of `/proc`: the kernel has had it at this for as long as there was Linux on what Node runs on. */
const TICKS_A_SECOND = 100

/** Seconds of processor time of a process, its children and those that have ended. On Linux alone. */
export async function cpuOfTree(root: number): Promise<number> {
  const stats = await Promise.all((await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(statOf))
  const ticks = stats
    .filter(stat => stat && (stat.pid === root || stat.parent === root))
    .reduce((sum, stat) => sum + (stat?.own ?? 0) + (stat?.pid === root ? stat.ended : 0), 0)
  return ticks / TICKS_A_SECOND
}

/** The process that a process was started by. */
export async function parentOf(pid: number): Promise<number> {
  const stat = await statOf(`${pid}`)
  if (!stat) throw new Error(`there is no process ${pid}`)
  return stat.parent
}

async function statOf(pid: string) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name may hold spaces and brackets.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  if (!fields) return undefined
  const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map(n => Number(fields[n])) as [
    number,
    number,
    number,
    number,
    number,
  ]
  return { pid: Number(pid), parent, own: user + system, ended: endedUser + endedSystem }
}
