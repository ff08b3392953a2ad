import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scratch, tillkit } from './tillkit.ts'

let folder: string
let remove: () => Promise<void>
let till: string

beforeAll(async () => {
  ;({ folder, remove } = await scratch())
  till = join(folder, 'till.db')
  await tillkit(['migrate', '--database', till])
  await tillkit(['merchants', 'add', 'One', '--id', 'one', '--database', till])
})

afterAll(() => remove())

test('the database comes by a flag before or behind the command, a variable, a file of a variable, or a file of settings', async () => {
  const named = join(folder, 'database')
  const config = join(folder, 'till.json')
  await writeFile(named, `${till}\n`)
  await writeFile(config, JSON.stringify({ database: till, port: 3001 }))
  const list = ['merchants', 'list', '--json']
  const ways: [string[], Record<string, string>][] = [
    [[...list, '--database', till], {}],
    [['--database', till, ...list], {}],
    [list, { TILLKIT_DATABASE: till }],
    [list, { TILLKIT_DATABASE_FILE: named }],
    [[...list, '--config', config], {}],
    [list, { TILLKIT_CONFIG: config }],
    [[...list, '--database', till], { TILLKIT_DATABASE: 'postgres://nobody@127.0.0.1:1/none' }],
    [list, { TILLKIT_DATABASE: till, TILLKIT_CONFIG: config, TILLKIT_SCHEMA: '' }],
  ]
  for (const [words, env] of ways) {
    const { status, stdout, stderr } = await tillkit(words, { env })
    expect({ words, status, stderr }).toEqual({ words, status: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject([{ id: 'one' }])
  }
})

test('a mark of UTF-8 or a blank before what a file holds is no part of it', async () => {
  const file = join(folder, 'marked')
  const list = ['merchants', 'list', '--json']
  for (const before of ['\uFEFF', '\n', '\uFEFF \n']) {
    await writeFile(file, `${before}${till}\n`)
    const { status, stdout } = await tillkit(list, { env: { TILLKIT_DATABASE_FILE: file } })
    expect({ before, status }).toEqual({ before, status: 0 })
    expect(JSON.parse(stdout)).toMatchObject([{ id: 'one' }])

    await writeFile(file, `${before}postgres://till:hunter2@127.0.0.1:1/till\n`)
    const away = await tillkit(list, { env: { TILLKIT_DATABASE_FILE: file } })
    expect(away).toMatchObject({ status: 3, stdout: '' })
    expect(away.stderr).toMatch(/^tillkit: the database cannot be reached: /)
    expect(away.stderr).not.toContain('hunter2')

    await writeFile(file, `${before}${JSON.stringify({ database: till })}`)
    expect(await tillkit([...list, '--config', file])).toMatchObject({ status: 0, stderr: '' })
  }
})

test('an address of a server that does not begin with its scheme is no file, and not repeated', async () => {
  for (const address of [
    ' postgres://till:hunter2@127.0.0.1:1/till',
    '"mysql://till:hunter2@127.0.0.1:1/till"',
    '\uFEFFpostgres://till:hunter2@127.0.0.1:1/till',
  ]) {
    const { status, stderr } = await tillkit(['migrate'], { env: { TILLKIT_DATABASE: address } })
    expect([status, stderr]).toEqual([
      2,
      'tillkit: TILLKIT_DATABASE must begin with postgres:// or mysql://, or be a file\n',
    ])
  }
})

test('all that is wrong is named at once, wherever it comes from', async () => {
  const config = join(folder, 'wrong.json')
  await writeFile(config, JSON.stringify({ locale: 'xx-nowhere-yy', secrets: 'hush-hush', colour: 'red' }))
  const { status, stdout, stderr } = await tillkit(
    [
      ...['serve', '--prot', '3', '--port', 'http', '--tls-cert', '/nowhere', '--trust-proxy', '10.0.0.300'],
      ...['--processor', './nowhere.js', '--cors-origins', 'not an origin', '--config', config],
      ...['--qr-base-url', 'http://pay.example.com', '--webhook-networks', '10.0.0.0/99'],
    ],
    { env: { TILLKIT_CURRENCY: 'EURO', TILLKIT_ACCESS_LOG: 'perhaps', TILLKIT_DATABASE: till } },
  )
  expect([status, stdout]).toEqual([2, ''])
  const lines = stderr.trimEnd().split('\n')
  expect(lines.every(line => line.startsWith('tillkit: '))).toBe(true)
  for (const mistake of [
    /--port must be a whole number from 0 to 65535, not http$/,
    /--prot is not known/,
    /TILLKIT_CURRENCY must be a currency of ISO 4217, such as EUR, not EURO$/,
    /TILLKIT_ACCESS_LOG must be true or false, not perhaps$/,
    /locale in .*wrong\.json must be a locale/,
    /secrets in .*wrong\.json must be \{"current"/,
    /colour in .*wrong\.json is not a known setting$/,
    /--tls-cert needs --tls-key$/,
    /--trust-proxy:? .*10\.0\.0\.300/,
    /--processor \.\/nowhere\.js cannot be loaded/,
    /--webhook-networks must be a network in CIDR form$/,
  ]) {
    expect(stderr).toMatch(new RegExp(`^tillkit: .*${mistake.source}`, 'm'))
  }
  expect(stderr).not.toContain('hush-hush')
})

test('what the handlers refuse is said in flags', async () => {
  const { status, stderr } = await tillkit(
    [
      ...['serve', '--database', till, '--trust-proxy', 'loopback', '--cors-origins', 'not an origin'],
      ...['--qr-base-url', 'http://pay.example.com'],
    ],
    {},
  )
  expect(status).toBe(2)
  expect(stderr).toMatch(/^tillkit: --cors-origins /m)
  expect(stderr).toMatch(/^tillkit: --qr-base-url /m)
})

test('a password in a flag is refused, and not repeated; in a variable it is fine', async () => {
  for (const address of [
    'postgres://till:hunter2@127.0.0.1:1/till',
    'mysql://till:hunter2@127.0.0.1:1/till',
    'postgres://127.0.0.1:1/till?password=hunter2',
  ]) {
    const { status, stderr } = await tillkit(['merchants', 'list', '--database', address])
    expect(status).toBe(2)
    expect(stderr).toMatch(/^tillkit: --database has a password in it.*TILLKIT_DATABASE/)
    expect(stderr).not.toContain('hunter2')
  }
  const away = await tillkit(['merchants', 'list'], {
    env: { TILLKIT_DATABASE: 'postgres://till:hunter2@127.0.0.1:1/till' },
  })
  expect(away).toMatchObject({ status: 3, stdout: '' })
  expect(away.stderr).toMatch(/^tillkit: the database cannot be reached: .*\n$/)
  expect(away.stderr).not.toContain('hunter2')
})

test('files that cannot be read, and what Kubernetes sets for a service called tillkit', async () => {
  const list = ['merchants', 'list']
  expect((await tillkit([...list, '--config', join(folder, 'none.json')])).stderr).toMatch(
    /^tillkit: --config names .*none\.json, which cannot be read: ENOENT\n/,
  )
  const broken = join(folder, 'broken.json')
  await writeFile(broken, '{"database": "postgres://till:hunter2@host/till"')
  const { status, stderr } = await tillkit(list, { env: { TILLKIT_CONFIG: broken, TILLKIT_DATABASE: till } })
  expect(status).toBe(2)
  expect(stderr).toBe(`tillkit: ${broken} must be a JSON object of settings\n`)
  const both = await tillkit(list, { env: { TILLKIT_DATABASE: till, TILLKIT_DATABASE_FILE: broken } })
  expect(both.stderr).toBe('tillkit: TILLKIT_DATABASE and TILLKIT_DATABASE_FILE are both given\n')

  const serving = await tillkit(['serve', '--trust-proxy', 'loopback'], {
    env: { TILLKIT_DATABASE: till, TILLKIT_PORT: 'tcp://10.0.0.1:80' },
  })
  expect(serving.stderr).toBe('tillkit: the address that QR codes carry is needed: --qr-base-url\n')
})
