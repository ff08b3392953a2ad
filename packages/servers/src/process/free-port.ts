import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that operating systems give to whoever connects or asks for any, with as many above them that say who has one. */
const [FIRST, COUNT] = [20_000, 6000]

/**
 * A port of 127.0.0.1 that is free, and stays so until whoever asked has started a server at it: the operating system gives it to
 * nobody, and this function to nobody else while this process lives.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + randomInt(COUNT)
    if ((await holds(port + COUNT)) && (await isFree(port))) return port
  }
}

/** Keeps others who ask here away, by the datagrams of another port: those of its own a server may want, for HTTP/3. */
async function holds(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref()
  try {
    await once(socket.bind({ port, address: '127.0.0.1', exclusive: true }), 'listening')
    return true
  } catch {
    socket.close()
    return false
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  await new Promise(resolve => server.close(resolve))
  return true
}

/** Where the operating system hands out such ports all the same, one may be taken before a server has started at it. */
const TRIES = 3

/** Runs what finds free ports and starts servers at them, and again from its start where that fails. */
export async function atFreePorts<Result>(start: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await start()
    } catch (error) {
      if (tries === TRIES) throw error
    }
  }
}
