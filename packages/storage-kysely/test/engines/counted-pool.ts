import pg from 'pg'

/** A pool of a host's, and the texts of the statements that are sent over it. */
export function countedPool(options: pg.PoolConfig): { pool: pg.Pool; texts: string[] } {
  const pool = new pg.Pool(options)
  // What is cut off says so by the call that it cuts.
  pool.on('error', () => {})
  const texts: string[] = []
  pool.on('connect', client => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    client.query = ((given: { text?: string }, ...rest: unknown[]) => {
      texts.push(given.text ?? String(given))
      return query(given, ...rest)
    }) as never
  })
  return { pool, texts }
}
