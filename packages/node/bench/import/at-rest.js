import { createServer } from 'node:http'

/**
 * What a process needed until it listens, and how much memory it has a while later. Milliseconds and bytes. What its main
 * thread computed is what the clock shows on a machine that has nothing else to do.
 */
export function tellAtRest(server = createServer()) {
  server.listen(0, '127.0.0.1', () => {
    const { user, system } = process.threadCpuUsage()
    const needed = { wall: performance.now(), cpu: (user + system) / 1000 }
    setTimeout(() => process.send({ ...needed, memory: process.memoryUsage.rss() }), 1000)
  })
}
