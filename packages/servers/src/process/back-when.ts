import type { OwnServer } from './own-server.ts'

/** A node of a cluster, which is started again once it is also what the others need it to be. */
export function backWhen(server: OwnServer, ready: (url: string) => Promise<void>): OwnServer {
  return {
    ...server,
    async start() {
      await server.start()
      await ready(server.url)
    },
  }
}
