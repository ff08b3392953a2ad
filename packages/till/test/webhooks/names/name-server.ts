import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

const TYPES: Record<number, 'A' | 'AAAA'> = { 1: 'A', 28: 'AAAA' }
const FAILURES = { SERVFAIL: 2, NXDOMAIN: 3 }

/** What is said of a name: an address in bytes, nothing of this type, a failure, or silence. */
type Says = number[] | 'none' | keyof typeof FAILURES | 'silence'

/** A name server on loopback that says of a name what it is told to. It is gone when the test is over. */
export async function nameServer(says: (name: string, type: 'A' | 'AAAA') => Says) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query)
    asked.push(`${name} ${type}`)
    const said = says(name, type)
    if (said === 'silence') return
    const header = Buffer.from(query.subarray(0, end))
    header.writeUInt16BE(0x8180 | (typeof said === 'string' && said !== 'none' ? FAILURES[said] : 0), 2)
    header.writeUInt16BE(Array.isArray(said) ? 1 : 0, 6)
    header.writeUInt32BE(0, 8)
    const record = Array.isArray(said)
      ? [0xc0, 12, ...query.subarray(end - 4, end), 0, 0, 0, 5, 0, said.length, ...said]
      : []
    socket.send(Buffer.concat([header, Buffer.from(record)]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return { servers: [`127.0.0.1:${socket.address().port}`], asked }
}

function questionOf(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = TYPES[query.readUInt16BE(at + 1)] ?? 'A'
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 }
}
