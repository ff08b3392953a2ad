import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../src/serve/server.ts'

const ANSWER = Buffer.alloc(16 * 1024 * 1024)

test('a client that does not read its answer is cut off, one that reads it slowly is not', async () => {
  const server = await listen('127.0.0.1', 0, undefined, 1)
  onTestFinished(async () => void (await server.close(0)))
  server.answer((_, response) => response.end(ANSWER))
  const { port } = new URL(server.origin)
  const ask = () => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
    onTestFinished(() => void socket.destroy())
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    return socket
  }

  const deaf = ask()
  await once(deaf, 'readable')
  // It hears of its end only once it reads on.
  await sleep(3000)
  let heard = 0
  for await (const piece of deaf) heard += piece.length
  expect(heard).toBeLessThan(ANSWER.length)

  heard = 0
  for await (const piece of ask()) {
    if (heard < ANSWER.length / 8) await sleep(20)
    heard += piece.length
  }
  expect(heard).toBeGreaterThan(ANSWER.length)
})

test('a connection is kept for longer than proxies keep it, however long a client may be silent', async () => {
  const server = await listen('127.0.0.1', 0, undefined, 1)
  onTestFinished(async () => void (await server.close(0)))
  server.answer((_, response) => response.end())
  const { headers } = await fetch(server.origin)
  expect(headers.get('keep-alive')).toBe('timeout=130')
})
