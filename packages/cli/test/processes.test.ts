import { execFile, spawnSync } from 'node:child_process'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sqliteStorage } from '@tillkit/storage-kysely/sqlite'
import { createTill } from '@tillkit/till'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { child, NODE } from './child.ts'
import { scratch, tillkit } from './tillkit.ts'

const run = promisify(execFile)
let folder: string
let remove: () => Promise<void>
let env: Record<string, string>

beforeAll(async () => {
  ;({ folder, remove } = await scratch())
  env = { TILLKIT_DATABASE: join(folder, 'till.db') }
  await tillkit(['migrate'], { env })
  const storage = sqliteStorage({ file: env.TILLKIT_DATABASE ?? '' })
  const till = createTill({ storage, logger: false })
  for (let n = 0; n < 1000; n++)
    await till.merchants.create({ id: `m${n}`, name: `Merchant ${n} ${'…'.repeat(80)}` })
  await till.close()
  await storage.close()
})

afterAll(() => remove())

test('a reader who has seen enough ends it with nothing said and status 0', async () => {
  const command = [process.execPath, ...NODE].map(word => `'${word}'`).join(' ')
  const line = `${command} merchants list --limit 1000 --json | head -c 20; echo "\${PIPESTATUS[0]}"`
  const { stdout, stderr } = await run('bash', ['--norc', '-c', line], {
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  expect(stdout).toMatch(/^\[\n {2}\{\n.*0\n$/s)
  expect(stderr).toBe('')
})

test('the scripts that complete are good, and complete commands and flags', async () => {
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const completing = child(['complete', shell])
    expect(await completing.ended).toBe(0)
    expect(completing.said.stdout).toContain('tillkit')
    const shells = { bash: 'bash', zsh: 'zsh', fish: 'fish' } as Record<string, string>
    const program = shells[shell]
    if (program === undefined || spawnSync(program, ['-c', 'true']).error) continue
    const { status, stderr } = spawnSync(program, ['-n'], { input: completing.said.stdout, encoding: 'utf8' })
    expect({ shell, status, stderr }).toEqual({ shell, status: 0, stderr: '' })
  }
  const groups = child(['complete', '--', 'me'])
  await groups.ended
  expect(groups.said.stdout).toContain('merchants')
  const flags = child(['complete', '--', 'merchants', 'add', '--we'])
  await flags.ended
  expect(flags.said.stdout).toContain('--webhook-url')
})

test('the help loads no till, no driver and nothing that draws', async () => {
  const program = join(import.meta.dirname, 'loaded.js')
  const { stdout } = await run(process.execPath, ['--conditions=@tillkit/source', program])
  expect(JSON.parse(stdout)).toEqual(['commander'])
})

const REPOSITORY = join(import.meta.dirname, '../../..')

/**
 * Runs what follows in a mount of its own, where nothing but the folder `data` may be written, as nobody, with no capability. The
 * repository is at `app` there: where it is itself, nobody may have no way to.
 */
function locked({ data, app }: { data: string; app: string }): string[] {
  const script =
    'mount --bind "$0" "$0" && mount --bind "$1" "$2" && mount -o remount,bind,ro "$2" && mount -o remount,bind,ro / && shift 2 && exec setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"'
  return ['unshare', '--mount', 'sh', '-c', script, data, REPOSITORY, app]
}

const cannot = spawnSync('unshare', [
  '--mount',
  'sh',
  '-c',
  'mount -o remount,bind,ro / && setpriv --reuid=65534 true',
])
const why = cannot.error?.message ?? cannot.stderr?.toString().trim()

test.skipIf(cannot.status !== 0)(
  `it serves as nobody, where nothing but the data may be written${cannot.status === 0 ? '' : `: ${why}`}`,
  async () => {
    const [data, app] = [join(folder, 'data'), join(folder, 'app')]
    for (const made of [data, app]) await mkdir(made)
    await chmod(folder, 0o755)
    await chmod(data, 0o777)
    const place = { TILLKIT_DATABASE: join(data, 'till.db') }
    const probe = spawnSync('unshare', [
      ...locked({ data, app }).slice(1),
      ...[
        'sh',
        '-c',
        `id -u; touch "$0/a" && rm "$0/a" && echo data; touch /tmp/a /a "${folder}/a" "${app}/a" || echo locked`,
        data,
      ],
    ])
    expect(probe.stdout.toString().split('\n')).toEqual(['65534', 'data', 'locked', ''])

    const at = (path: string) => path.replace(REPOSITORY, app)
    const serving = child(['serve', '--insecure-http', '--port', '0'], place, {
      wrapper: locked({ data, app }),
      at,
    })
    const [, origin = ''] = await serving.says('stdout', /^Serving (http:\S+):/m)
    expect((await fetch(`${origin}/v1/payments`)).status).toBe(401)
    const added = child(['merchants', 'add', 'Corner Coffee', '--id', 'coffee'], place, {
      wrapper: locked({ data, app }),
      at,
    })
    expect([await added.ended, added.said.stderr]).toEqual([0, ''])
    serving.process.kill('SIGTERM')
    expect(await serving.ended).toBe(0)
  },
)
