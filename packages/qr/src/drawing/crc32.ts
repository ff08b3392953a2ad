const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1
  return sum
})

/** The checksum of a PNG's chunk. `node:zlib` has one since Node 20.15 and 22.2 only. */
export function crc32(data: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of data) sum = (TABLE[(sum ^ byte) & 0xff] as number) ^ (sum >>> 8)
  return ~sum >>> 0
}
