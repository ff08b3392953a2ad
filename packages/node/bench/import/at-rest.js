import { createServer } from 'node:http'

/** What a process needed until it listens, and how much memory it has a while later. Milliseconds and bytes. */
export function tellAtRest(server = createServer()) {
  server.listen(0, '127.0.0.1', () => {
    const { user, system } = process.cpuUsage()
    const needed = { wall: performance.now(), cpu: (user + system) / 1000 }
    setTimeout(() => process.send({ ...needed, memory: process.memoryUsage.rss() }), 1000)
  })
}
