import { toNode } from '@tillkit/node'
import { expect, test } from 'vitest'
import { echo } from './echo.ts'
import { bodyOf, listen, listenSecurely, message, statusOf } from './server.ts'

test.each([
  ['/', '/', ''],
  ['/a%2Fb/%zz/..//c', '/a%2Fb/%zz/..//c', ''],
  ['/x?', '/x', ''],
  ['/x?a=%zz&b=+&&c=?d', '/x', 'a=%zz&b=+&&c=?d'],
  ['//evil.example/x?y', '//evil.example/x', 'y'],
  ['http://pay.example.com/v1/x?y=1', '/v1/x', 'y=1'],
  ['https://pay.example.com', '/', ''],
])('%s arrives byte for byte', async (target, path, query) => {
  const { raw } = await listen(toNode(echo))
  expect(JSON.parse(bodyOf(await raw(message(`GET ${target}`))))).toMatchObject({
    method: 'GET',
    path,
    query,
  })
})

test('headers arrive by lower-case name', async () => {
  const { raw } = await listen(toNode(echo))
  const { headers } = JSON.parse(
    bodyOf(await raw(message('GET /', { 'X-Trace': 'a', 'Idempotency-Key': 'é' }))),
  )
  expect(headers).toMatchObject({ 'x-trace': 'a', host: 'localhost' })
})

test('several mounts, each with the path below it, and 404 beside them', async () => {
  const { raw } = await listen(toNode({ '/v1': echo, '/qr': echo }))
  const path = async (target: string) => JSON.parse(bodyOf(await raw(message(`GET ${target}`)))).path
  expect(await path('/v1')).toBe('/')
  expect(await path('/v1/payments?x')).toBe('/payments')
  expect(await path('/qr/a.svg')).toBe('/a.svg')
  for (const target of ['/', '/v10', '/V1', '/v1%2Fx', '*']) {
    const response = await raw(message(`${target === '*' ? 'OPTIONS' : 'GET'} ${target}`))
    expect([statusOf(response), bodyOf(response)]).toEqual([
      404,
      '{"message":"Not found","code":"not_found"}',
    ])
  }
})

test('the connection says whether it is secure and who the client is', async () => {
  const plain = await listen(toNode(echo))
  const tls = await listenSecurely(toNode(echo))
  const facts = async ({ raw }: typeof plain) => JSON.parse(bodyOf(await raw(message('GET /'))))
  expect(await facts(plain)).toMatchObject({ secure: false, remoteAddress: '127.0.0.1' })
  expect(await facts(tls)).toMatchObject({ secure: true, remoteAddress: '127.0.0.1' })
})
