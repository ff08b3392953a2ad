import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseError, type DatabaseStorage } from '../../src/index.ts'
import { postgresStorage } from '../../src/postgres/index.ts'
import { attempt, merchantId, NOW } from '../faults/shop.ts'

/** As PostgreSQL says it to whoever comes when all connections are taken. */
const FULL = fatal({ S: 'FATAL', V: 'FATAL', C: '53300', M: 'sorry, too many clients already' })

function fatal(fields: Record<string, string>): Buffer {
  const texts = Object.entries(fields).map(([field, text]) => `${field}${text}\0`)
  const body = Buffer.from(`${texts.join('')}\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

let server: Server
let storage: DatabaseStorage
let refused: number
let sockets: Socket[]

/** A server that refuses the first, and then takes connections and says nothing. */
beforeEach(async () => {
  refused = 0
  sockets = []
  server = createServer(socket => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.once('data', () => {
      if (refused > 0) return
      refused += 1
      socket.end(FULL)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  storage = postgresStorage({
    connectionString: `postgres://till@127.0.0.1:${port}/till`,
    readTimeoutSeconds: 1,
    writeTimeoutSeconds: 1,
    lockTimeoutSeconds: 1,
  })
})

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await storage.close()
  server.close()
})

test.each([
  ['a read', () => storage.merchants.get(merchantId)],
  ['a start', () => storage.payments.start(attempt(), NOW)],
  ['an outcome', () => storage.payments.resolve({ merchantId, id: 1 }, { status: 'completed' }, NOW)],
])('%s whose time ends while it is tried again says what was wrong', async (_, call) => {
  const error = await call().then(
    () => expect.unreachable('it was answered'),
    reason => reason,
  )
  expect(error).toBeInstanceOf(DatabaseError)
  expect(error.message).toMatch(/^the database has no connection left: /)
  expect(error.cause).toMatchObject({ code: '53300' })
  expect(refused).toBe(1)
})
