/** What a MariaDB or MySQL server answers a statement with that fails. */
export function mysqlError(errno: number, sqlState: string, message: string): Buffer {
  return packet(1, errno, `#${sqlState}${message}`)
}

/** What is said in place of a greeting, before there is any SQLSTATE. */
export function mysqlRefusal(errno: number, message: string): Buffer {
  return packet(0, errno, message)
}

function packet(number: number, errno: number, text: string): Buffer {
  const body = Buffer.concat([Buffer.from([0xff, errno & 0xff, errno >> 8]), Buffer.from(text)])
  return Buffer.concat([Buffer.from([body.length, 0, 0, number]), body])
}
