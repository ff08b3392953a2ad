/** Whether the server is a node of a Galera cluster; MySQL, and a MariaDB that was made without it, do not know the setting. */
export async function isOfGalera(session: { query(sql: string): Promise<unknown> }): Promise<boolean> {
  const [setting] = (await session.query(`show variables like 'wsrep_on'`)) as { Value?: unknown }[]
  return setting?.Value === 'ON'
}
