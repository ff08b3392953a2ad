import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNode } from '@tillkit/node'
import { createSandbox, sandboxRoutes } from '@tillkit/sandbox'
import { memoryStorage } from '@tillkit/storage/memory'
import { createTill } from '@tillkit/till'
import { expect, onTestFinished, test } from 'vitest'
import { openFolder } from './folder.ts'
import { blocksOf, commandsOf, readPage } from './page.ts'

/** A provider's server, and a test key. */
async function openProvider() {
  const till = createTill({ storage: memoryStorage(), logger: false })
  await till.merchants.create({ id: 'coffee', name: 'Corner Coffee' })
  const sandbox = createSandbox(till, { api: { https: 'off' } })
  const { apiKey } = await sandbox.apiKeys.issue('coffee')
  const server = createServer(toNode({ '/v1': sandbox.handler })).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await sandbox.close()
    await till.close()
  })
  return { TEST_KEY: apiKey, BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}

test('each command of the page works as it stands, and the payment of a seed is the one that is shown', async () => {
  const env = await openProvider()
  const folder = await openFolder()
  const answers: string[] = []
  for (const command of commandsOf('sandbox.md')) {
    const { output } = await folder.run('sh', ['-c', `${command} -s -w '\\n%{http_code}'`], env).ended
    expect([command, output]).toEqual([command, expect.stringMatching(/\n200$/)])
    answers.push(output.replace(/\n200$/, ''))
  }
  const [shown] = blocksOf('sandbox.md').filter(({ language }) => language === 'json')
  expect(`${answers.at(-1)}\n`).toBe(shown?.text)
  const statuses = JSON.parse(answers[4] ?? '').map((payment: { status: string }) => payment.status)
  expect(statuses).toEqual(['completed', 'error', 'completed'])
})

test('the page names each route that there is', () => {
  const page = readPage('sandbox.md')
  for (const { method, path } of sandboxRoutes) {
    const row = page
      .split('\n')
      .find(line => line.startsWith('|') && line.split('|')[1]?.includes(` ${path}\``))
    expect([path, row?.includes(method)]).toEqual([path, true])
  }
})
