import { ownMariadb, ownPostgres } from '@tillkit/servers'

// Whoever does not kill it has gone, or has no use for it.
process.once('disconnect', () => process.exit())

/** Starts a server, says where it is, and waits to be killed. */
try {
  const { url } = await (process.argv[2] === 'PostgreSQL' ? ownPostgres() : ownMariadb())
  process.send?.({ url })
} catch (error) {
  process.send?.({ failed: `${error}` })
}
setInterval(() => {}, 60_000)
