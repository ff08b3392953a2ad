/** What a MariaDB or MySQL server answers a statement with that fails. */
export function mysqlError(errno: number, sqlState: string, message: string): Buffer {
  const body = Buffer.concat([
    Buffer.from([0xff, errno & 0xff, errno >> 8]),
    Buffer.from(`#${sqlState}${message}`),
  ])
  return Buffer.concat([Buffer.from([body.length, 0, 0, 1]), body])
}
