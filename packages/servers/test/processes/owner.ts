import { ownMariadb, ownMysql, ownPostgres } from '@tillkit/servers'

const START = {
  PostgreSQL: ownPostgres,
  MariaDB: ownMariadb,
  MySQL: () => ownMysql({ program: process.env.TILLKIT_MYSQLD ?? '' }),
}

// Whoever does not kill it has gone, or has no use for it.
process.once('disconnect', () => process.exit())

/** Starts a server, says where it is, and waits to be killed. */
try {
  const { url } = await START[process.argv[2] as keyof typeof START]()
  process.send?.({ url })
} catch (error) {
  process.send?.({ failed: `${error}` })
}
setInterval(() => {}, 60_000)
