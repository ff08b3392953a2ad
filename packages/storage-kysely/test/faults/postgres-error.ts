/** What a PostgreSQL server answers a statement with that fails, and that it is ready for another. */
export function postgresError(code: string, message: string): Buffer {
  const fields = Buffer.from(`SERROR\0C${code}\0M${message}\0\0`)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(length.length + fields.length)
  return Buffer.concat([Buffer.from('E'), length, fields, Buffer.from('Z\0\0\0\x05I', 'latin1')])
}
