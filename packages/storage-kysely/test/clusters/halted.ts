import { readFile } from 'node:fs/promises'
import mysql from 'mysql2/promise'

/** Stops a server's process as it is, so that it hears and says nothing. Resolves to what lets it go on. */
export async function halted(url: string): Promise<() => void> {
  const connection = await mysql.createConnection(url)
  const [[row]] = await connection.query<mysql.RowDataPacket[]>('select @@pid_file as file')
  await connection.end()
  const pid = Number(await readFile(row?.file, 'utf8'))
  process.kill(pid, 'SIGSTOP')
  return () => void process.kill(pid, 'SIGCONT')
}
