import { ownMariadb, ownPostgres } from '@tillkit/servers'

/** Starts a server, says where it is, and waits to be killed. */
try {
  const { url } = await (process.argv[2] === 'PostgreSQL' ? ownPostgres() : ownMariadb())
  process.send?.({ url })
} catch (error) {
  process.send?.({ failed: `${error}` })
}
setInterval(() => {}, 60_000)
