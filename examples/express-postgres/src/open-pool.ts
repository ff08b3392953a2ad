import pg from 'pg'

/** The shop's connections. One that the server ends while it idles is replaced; unheard, its error would end the process. */
export function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString })
  pool.on('error', error => console.warn(`a database connection ended: ${error.message}`))
  // The pool hears of a connection no more while that is being closed.
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}
