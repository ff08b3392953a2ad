import { ownPostgres } from '@tillkit/servers'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tillkit } from './tillkit.ts'

let server: Awaited<ReturnType<typeof ownPostgres>>
const ran = (user: string | null, ...words: string[]) => {
  const url = new URL(server.url)
  if (user !== null) Object.assign(url, { username: user, password: 'secret' })
  return tillkit(words, { env: { TILLKIT_DATABASE: url.href } })
}

beforeAll(async () => {
  server = await ownPostgres()
  await ran(null, 'migrate')
  await ran(null, 'merchants', 'add', 'Coffee', '--id', 'coffee')
  const client = new pg.Client(server.url)
  await client.connect()
  await client.query(`create role reader login password 'secret'; create role nobody login password 'secret'`)
  await client.query('grant select on all tables in schema public to reader')
  await client.end()
}, 300_000)

afterAll(() => server?.remove())

test('who may only read looks at everything, and is told what may not be written', async () => {
  for (const words of [
    ['merchants', 'list'],
    ['payments', 'list', 'coffee'],
    ['cash-ups', 'list', 'coffee'],
    ['report', 'coffee'],
    ['settlements', 'list'],
    ['webhooks', 'list', 'coffee'],
    ['migrate', '--check'],
  ]) {
    expect([words, (await ran('reader', ...words)).status]).toEqual([words, 0])
  }
  for (const words of [
    ['merchants', 'add', 'Tea'],
    ['keys', 'issue', 'coffee'],
    ['cash-ups', 'create', 'coffee'],
  ]) {
    const { status, stdout, stderr } = await ran('reader', ...words)
    expect([words, status, stdout]).toEqual([words, 3, ''])
    expect(stderr).toMatch(/^tillkit: the user of the database may not do this: permission denied .*\n$/)
    expect(stderr).not.toContain('secret')
  }
})

test('who may do nothing is told so, by every command, in one sentence', async () => {
  for (const words of [
    ['merchants', 'list'],
    ['migrate', '--check'],
    ['report', 'coffee'],
  ]) {
    const { status, stderr } = await ran('nobody', ...words)
    expect([words, status, stderr.split('\n').length]).toEqual([words, 3, 2])
    expect(stderr).toMatch(/^tillkit: /)
  }
})
test('a doctor who may see nothing says that as a problem', async () => {
  const { status, stdout } = await ran('nobody', 'doctor')
  expect(status).toBe(1)
  expect(stdout).toMatch(/^problem +counts +The rows could not be counted: .* permission denied for table/m)
})
