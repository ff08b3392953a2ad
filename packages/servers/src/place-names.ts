import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'

const here = createHash('sha256').update(hostname()).digest('hex').slice(0, 6)

/** A name for a database, a schema or a user that this process makes on a server that others use too: 32 characters at most. */
export function placeName(): string {
  return `Tillkit-${here}-${process.pid}-${randomBytes(4).toString('hex')}`
}

/** True for the name of what a process of this machine made that was killed before it could drop it. */
export function isLeftOver(name: string): boolean {
  const [, host, pid] = /^Tillkit-([0-9a-f]{6})-(\d+)-[0-9a-f]{8}$/i.exec(name) ?? []
  return host === here && !isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}
