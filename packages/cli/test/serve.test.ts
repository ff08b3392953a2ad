import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import Database from 'better-sqlite3'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { child } from './child.ts'
import { pay } from './pay.ts'
import { scratch, tillkit } from './tillkit.ts'

let folder: string
let remove: () => Promise<void>
let env: Record<string, string>
let key: string

beforeAll(async () => {
  ;({ folder, remove } = await scratch())
  env = { TILLKIT_DATABASE: join(folder, 'till.db') }
  await tillkit(['migrate'], { env })
  await tillkit(['merchants', 'add', 'Corner Coffee', '--id', 'coffee'], { env })
  await tillkit(['codes', 'create', 'coffee', '--code', 'counter'], { env })
  key = (await tillkit(['keys', 'issue', 'coffee'], { env })).stdout.trim()
})

afterAll(() => remove())

/** Serves in this process while `work` goes on, and returns what was said. */
async function serving(
  words: string[],
  work: (origin: string) => Promise<void>,
  more: Record<string, string> = {},
) {
  const stopping = new AbortController()
  const { promise: ready, resolve } = Promise.withResolvers<string>()
  const ran = tillkit(['serve', '--port', '0', ...words], {
    env: { ...env, ...more },
    stop: stopping.signal,
    onOutput(text) {
      const [, origin] = /^Serving (https?:\/\/[^:]+:\d+)/.exec(text) ?? []
      if (origin) resolve(origin)
    },
  })
  const origin = await Promise.race([ready, ran.then(({ stderr }) => Promise.reject(new Error(stderr)))])
  try {
    await work(origin)
  } finally {
    stopping.abort()
  }
  return ran
}

const authorization = () => ({ authorization: `Basic ${btoa(`${key}:`)}` })

test('the API, images and pages are served, and each request is a line of JSON without its key and query', async () => {
  const back = `/qr/counter/pay/${'a'.repeat(48)}/back`
  const order = Buffer.from('id=Anna').toString('base64url')
  const { status, stderr } = await serving(['--insecure-http', '--access-log'], async origin => {
    const listed = await fetch(`${origin}/v1/payments?userReference=Anna`, { headers: authorization() })
    expect([listed.status, await listed.json()]).toEqual([200, []])
    const image = await fetch(`${origin}/qr/counter.svg`)
    expect(await image.text()).toMatch(/^<svg /)
    expect(await (await fetch(`${origin}/qr/counter`)).text()).toContain('Corner Coffee')
    expect((await fetch(`${origin}/nothing`)).status).toBe(404)
    await fetch(`${origin}${back}/${order}`, { redirect: 'manual' })
  })
  expect(status).toBe(0)
  const lines = stderr
    .trim()
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line))
  expect(lines.filter(({ msg }) => msg === 'request')).toMatchObject([
    {
      method: 'GET',
      path: '/v1/payments',
      status: 200,
      requestId: expect.any(String),
      remoteAddress: '127.0.0.1',
    },
    { path: '/qr/counter.svg', status: 200 },
    { path: '/qr/counter', status: 200 },
    { path: '/nothing', status: 404 },
    { path: back, status: 404 },
  ])
  expect(stderr).not.toContain('Anna')
  expect(stderr).not.toContain(order)
  expect(stderr).not.toContain(key)
  expect(stderr).not.toContain(btoa(`${key}:`))
})

test('it says how it is, and that it stops, and answers on meanwhile', async () => {
  const serving = child(['serve', '--insecure-http', '--port', '0', '--drain-seconds', '600'], env)
  const [, origin = ''] = await serving.says('stdout', /^Serving (http:\S+):/m)
  const ready = async () => (await fetch(`${origin}/health/readyz`)).status
  expect([await ready(), (await fetch(`${origin}/health/livez`)).status]).toEqual([200, 200])
  serving.process.kill('SIGTERM')
  await serving.says('stderr', /"stopping: \/health\/readyz says so/)
  expect(await ready()).toBe(503)
  expect((await fetch(`${origin}/v1/payments`, { headers: authorization() })).status).toBe(200)
  serving.process.kill('SIGKILL')
  await serving.ended
})

test('it does so for as long as it is told to, and ends well', async () => {
  const { status, stderr } = await serving(['--insecure-http', '--drain-seconds', '1'], async () => {})
  expect([status, stderr]).toEqual([0, expect.stringMatching(/"stopping: \/health\/readyz says so/)])
})

test('a worker delivers, says how it is where it is asked to, and stops', async () => {
  const stopping = new AbortController()
  const { promise: working, resolve } = Promise.withResolvers<void>()
  const worker = tillkit(['worker', '--port', '0'], { env, stop: stopping.signal, onOutput: () => resolve() })
  await Promise.race([working, worker])
  stopping.abort()
  const { status, stderr } = await worker
  expect(status).toBe(0)
  expect(stderr).toMatch(/"address":"http:\/\/127\.0\.0\.1:\d+\/health"/)
  expect(stderr).toMatch(/^Stopped\. Waited for webhooks under way: 0 \(\d+ ms\)\.$/m)
})

test('the console is for who has the name and the password, and lets nobody guess', async () => {
  const words = ['--insecure-http', '--currency', 'EUR', '--console-user', 'anna']
  const password = 'correct horse battery'
  const more = { TILLKIT_CONSOLE_PASSWORD: password }
  const { stderr } = await serving(
    words,
    async origin => {
      const look = (pair?: string) =>
        fetch(`${origin}/console/merchants`, {
          headers: pair ? { authorization: `Basic ${btoa(pair)}` } : {},
        })
      const asked = await look()
      expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([
        401,
        'Basic realm="Console", charset="UTF-8"',
      ])
      const seen = await look(`anna:${password}`)
      expect(seen.status).toBe(200)
      expect(await seen.text()).toContain('Corner Coffee')
      for (let guess = 0; guess < 10; guess++) expect((await look(`anna:guess ${guess}`)).status).toBe(401)
      expect((await look(`anna:${password}`)).status).toBe(401)
    },
    more,
  )
  expect(stderr).not.toContain(password)
  const mistakes = await tillkit(
    ['serve', '--insecure-http', '--console-user', 'anna', '--console-permissions', 'all'],
    {
      env: { ...env, TILLKIT_CONSOLE_PASSWORD: 'short' },
    },
  )
  expect(mistakes.stderr).toContain(
    'tillkit: TILLKIT_CONSOLE_PASSWORD must be 12 characters or more, in one line\n',
  )
  expect(mistakes.stderr).toContain('tillkit: --console-user needs --currency\n')
})

test('nor does it let anybody guess in one burst', async () => {
  const password = 'correct horse battery'
  const guesses = [...Array.from({ length: 45 }, (_, n) => `guess ${n}`), password]
  await serving(
    ['--insecure-http', '--currency', 'EUR', '--console-user', 'anna'],
    async origin => {
      const { host, port } = new URL(origin)
      const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
      socket.cork()
      for (const guess of guesses) {
        const authorization = `Basic ${btoa(`anna:${guess}`)}`
        socket.write(
          `GET /console/merchants HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n\r\n`,
        )
      }
      socket.uncork()
      let answered = ''
      while (answered.split('HTTP/1.1 ').length <= guesses.length) answered += (await once(socket, 'data'))[0]
      socket.destroy()
      expect(answered).not.toContain('HTTP/1.1 200')
    },
    { TILLKIT_CONSOLE_PASSWORD: password },
  )
})

test('behind a trusted proxy HTTPS is what the proxy says', async () => {
  const words = ['--trust-proxy', 'loopback', '--qr-base-url', 'https://pay.example.com']
  await serving(words, async origin => {
    expect((await fetch(`${origin}/v1/payments`, { headers: authorization() })).status).toBe(403)
    const headers = { ...authorization(), 'x-forwarded-proto': 'https' }
    expect((await fetch(`${origin}/v1/payments`, { headers })).status).toBe(200)
  })
})

test('with TLS of its own, whose certificate is read again at SIGHUP', async () => {
  const [cert, tls] = [join(folder, 'pay.pem'), join(folder, 'pay.key')]
  const renew = async () => {
    const made = await generate([{ name: 'commonName', value: 'localhost' }], { keySize: 2048 })
    await writeFile(cert, made.cert)
    await writeFile(tls, made.private)
    return made.fingerprint.toUpperCase()
  }
  const seen = (origin: string) =>
    new Promise<{ status: number | undefined; fingerprint: string }>((resolve, reject) => {
      const options = { headers: authorization(), rejectUnauthorized: false, agent: false }
      get(`${origin}/v1/payments`, options, response => {
        const { fingerprint } = (response.socket as TLSSocket).getPeerCertificate()
        response.resume().on('end', () => resolve({ status: response.statusCode, fingerprint }))
      }).on('error', reject)
    })

  const first = await renew()
  const words = ['--tls-cert', cert, '--tls-key', tls, '--qr-base-url', 'https://pay.example.com']
  const { stderr } = await serving(words, async origin => {
    expect(await seen(origin)).toEqual({ status: 200, fingerprint: first })
    const second = await renew()
    process.emit('SIGHUP')
    expect(await seen(origin)).toEqual({ status: 200, fingerprint: second })
    await writeFile(tls, 'no key')
    process.emit('SIGHUP')
    expect(await seen(origin)).toEqual({ status: 200, fingerprint: second })
  })
  expect(stderr).toContain('the certificate was read again')
  expect(stderr).toContain('the certificate could not be read again: the one before stays')
  expect(await tillkit(['serve', ...words], { env })).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^tillkit: --tls-cert and --tls-key are no certificate and its key/),
  })
})

test('a port that is taken is said', async () => {
  await serving(['--insecure-http'], async origin => {
    const { port } = new URL(origin)
    const again = await tillkit(['serve', '--insecure-http', '--port', port], { env })
    expect(again).toMatchObject({ status: 1, stdout: '' })
    expect(again.stderr).toContain(`tillkit: port ${port} of 127.0.0.1 is taken: choose another by --port\n`)
  })
})

/** A processor that answers only once its process is told to stop, or never, and tells of each charge on stderr. */
async function slowProcessor(answers: 'late' | 'never'): Promise<string> {
  const file = join(folder, `${answers}.mjs`)
  await writeFile(
    file,
    `export const processor = {
  async charge(payment) {
    console.error('charging ' + payment.totalAmount)
    await new Promise(${answers === 'late' ? "resolve => process.once('SIGTERM', () => setTimeout(resolve, 100))" : '() => {}'})
    return { status: 'completed' }
  },
}
export const close = () => console.error('processor closed')
`,
  )
  return file
}

const slowly = (processor: string) => [
  ...['serve', '--insecure-http', '--port', '0', '--currency', 'EUR'],
  ...['--processor', processor],
]

test('SIGTERM finishes what is in flight, says what it waited for, and ends well', async () => {
  const serving = child(slowly(await slowProcessor('late')), env)
  const [, origin = ''] = await serving.says('stdout', /^Serving (http:\S+):/m)
  const paying = pay(origin)
  await serving.says('stderr', /charging 1250/)
  serving.process.kill('SIGTERM')
  expect((await paying).status).toBeLessThan(400)
  expect(await serving.ended).toBe(0)
  expect(serving.said.stderr).toMatch(/^Stopped\. Waited for 1 request \(/m)
  expect(serving.said.stderr).toContain('processor closed')
  const { stdout } = await tillkit(['payments', 'list', 'coffee', '--json'], { env })
  expect(JSON.parse(stdout).items[0]).toMatchObject({ totalAmount: 1250, status: 'completed' })
})

test('a second signal ends it at once', async () => {
  const serving = child(slowly(await slowProcessor('never')), env)
  const [, origin = ''] = await serving.says('stdout', /^Serving (http:\S+):/m)
  const paying = pay(origin).catch(() => {})
  await serving.says('stderr', /charging 1250/)
  serving.process.kill('SIGINT')
  await serving.says('stderr', /"stopping/)
  serving.process.kill('SIGTERM')
  expect(await serving.ended).toBe(143)
  await paying
})

test('SIGTERM while it waits to bring the tables up to date ends that, and it ends well', async () => {
  const file = join(folder, 'held.db')
  const holder = new Database(file)
  holder.pragma('journal_mode = WAL')
  holder.exec('begin immediate')
  const stop = AbortSignal.timeout(500)
  const words = ['serve', '--insecure-http', '--port', '0', '--database', file]
  const { status, stdout, stderr } = await tillkit(words, { stop })
  expect([status, stdout]).toEqual([0, ''])
  expect(stderr).toMatch(/^Stopped while the tables were brought up to date/m)
  holder.close()
})

test('the README names every setting of serve', async () => {
  const { stdout } = await tillkit(['serve', '--help'])
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
  for (const [, flag] of stdout.matchAll(/^ {2}(--[a-z-]+)/gm)) expect(readme).toContain(`\`${flag}\``)
})
