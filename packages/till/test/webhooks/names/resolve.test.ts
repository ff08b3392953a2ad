import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { fewAtOnce } from '../../../src/webhooks/wire/names/few-at-once.ts'
import { createHostsFile } from '../../../src/webhooks/wire/names/hosts-file.ts'
import { createResolve, type NameSources } from '../../../src/webhooks/wire/names/resolve.ts'
import { receiver } from '../receiver.ts'
import { scene } from '../scene.ts'
import { nameServer } from './name-server.ts'

const LOOPBACK = { address: '127.0.0.1', family: 4 }
const NEVER = new AbortController().signal

/** A hosts file with these lines. */
async function hostsFile(...lines: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'hosts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'hosts'), lines.join('\n'))
  return createHostsFile(join(folder, 'hosts'))
}

/** What finds names where the machine's hosts file is empty and its own lookups find `known`. */
function resolveWith(sources: NameSources, known: Record<string, string> = {}) {
  const system = vi.fn(async (name: string) => {
    const address = known[name]
    if (address === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    return [{ address, family: 4 }]
  })
  return { resolve: createResolve({ hosts: async () => [], system, ...sources }), system }
}

describe('a name', () => {
  test('has the addresses of both families that the name server says, and the system is not asked', async () => {
    const { servers } = await nameServer((_, type) =>
      type === 'A' ? [10, 0, 0, 7] : [...Array(15).fill(0), 1],
    )
    const { resolve, system } = resolveWith({ servers })
    expect(await resolve('shop.example', NEVER)).toEqual([
      { address: '10.0.0.7', family: 4 },
      { address: '::1', family: 6 },
    ])
    expect(system).not.toHaveBeenCalled()
  })

  test.each(['none', 'NXDOMAIN', 'SERVFAIL', 'silence'] as const)(
    'has those of one family where of the other the server says: %s',
    async says => {
      const { servers } = await nameServer((_, type) => (type === 'A' ? [10, 0, 0, 7] : says))
      const { resolve } = resolveWith({ servers })
      expect(await resolve('shop.example', NEVER)).toEqual([{ address: '10.0.0.7', family: 4 }])
    },
  )

  test.each(['none', 'NXDOMAIN'] as const)(
    'of which the server says %s is looked up by the system',
    async says => {
      const { servers, asked } = await nameServer(() => says)
      const { resolve, system } = resolveWith({ servers }, { 'shop.payments': '10.0.0.8' })
      expect(await resolve('shop.payments', NEVER)).toEqual([{ address: '10.0.0.8', family: 4 }])
      expect(asked.toSorted()).toEqual(['shop.payments A', 'shop.payments AAAA'])
      await expect(resolve('gone.example', NEVER)).rejects.toMatchObject({ code: 'ENOTFOUND' })
      expect(system).toHaveBeenCalledTimes(2)
    },
  )

  test.each(['SERVFAIL', 'silence'] as const)('of which the server says %s is not', async says => {
    const { servers } = await nameServer(() => says)
    const { resolve, system } = resolveWith({ servers })
    await expect(resolve('shop.example', NEVER)).rejects.toMatchObject({ code: 'EAI_AGAIN' })
    expect(system).not.toHaveBeenCalled()
  })

  test('of one part is looked up by the system where the server will not serve such names', async () => {
    const { servers } = await nameServer(() => 'SERVFAIL')
    const { resolve } = resolveWith({ servers }, { orders: '10.0.0.9' })
    expect(await resolve('orders', NEVER)).toEqual([{ address: '10.0.0.9', family: 4 }])
  })

  test.each(['localhost', 'LOCALHOST.', 'printer.localhost'])('%s is asked of no name server', async name => {
    const { servers, asked } = await nameServer(() => [10, 0, 0, 7])
    const { resolve } = resolveWith({ servers }, { [name]: '127.0.0.1' })
    expect(await resolve(name, NEVER)).toEqual([LOOPBACK])
    expect(asked).toEqual([])
  })

  test('of the hosts file has the addresses there, whatever a name server says', async () => {
    const { servers, asked } = await nameServer(() => 'silence')
    const hosts = await hostsFile(
      '# 10.0.0.1 shop.example',
      '127.0.0.1\tlocalhost Shop.Example # ours',
      '::1 localhost shop.example',
      'fe80::1%lo0 localhost',
      'nonsense shop.example\r',
    )
    const { resolve } = resolveWith({ servers, hosts })
    const both = [LOOPBACK, { address: '::1', family: 6 }]
    for (const name of ['shop.example', 'SHOP.example.', 'localhost']) {
      expect(await resolve(name, NEVER)).toEqual(both)
    }
    expect(asked).toEqual([])
  })

  test('has another address within a second of when the hosts file was written anew', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const folder = await mkdtemp(join(tmpdir(), 'hosts-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'hosts')
    await writeFile(path, '127.0.0.1 shop.example')
    const hosts = createHostsFile(path)
    expect(await hosts('shop.example')).toEqual([LOOPBACK])
    await writeFile(path, '127.0.0.2 shop.example')
    vi.advanceTimersByTime(1001)
    expect(await hosts('shop.example')).toEqual([{ address: '127.0.0.2', family: 4 }])
  })

  test('is asked of the name servers where there is no hosts file', async () => {
    const { servers } = await nameServer((_, type) => (type === 'A' ? [127, 0, 0, 1] : 'none'))
    const { resolve } = resolveWith({ servers, hosts: createHostsFile('/nowhere/hosts') })
    expect(await resolve('shop.example', NEVER)).toEqual([LOOPBACK])
  })
})

describe('lookups of the system', () => {
  /** The system's lookups, each of which ends when it is told to. */
  async function heldLookups() {
    const { servers } = await nameServer(() => 'NXDOMAIN')
    const held: { name: string; end: () => void }[] = []
    let arrived = Promise.withResolvers<void>()
    const system = (name: string) => {
      const { promise, resolve } = Promise.withResolvers<(typeof LOOPBACK)[]>()
      held.push({ name, end: () => resolve([LOOPBACK]) })
      arrived.resolve()
      arrived = Promise.withResolvers()
      return promise
    }
    const began = async (count: number) => {
      while (held.length < count) await arrived.promise
      return held.map(({ name }) => name)
    }
    return { ...resolveWith({ servers, system }), held, began }
  }

  test('are one at a time, the others in turn', async () => {
    const { resolve, held, began } = await heldLookups()
    const all = ['a', 'b', 'c'].map(name => resolve(name, NEVER))
    for (let count = 1; count <= 3; count++) {
      expect(await began(count)).toHaveLength(count)
      held[count - 1]?.end()
    }
    expect((await began(3)).toSorted()).toEqual(['a', 'b', 'c'])
    expect(await Promise.all(all)).toEqual(Array(3).fill([LOOPBACK]))
  })
})

test('what waits for its turn is dropped with its signal, and keeps nobody else from one', async () => {
  const inTurn = fewAtOnce(1)
  const first = Promise.withResolvers<string>()
  const over = new AbortController()
  const work = vi.fn(async () => 'done')
  const running = inTurn(() => first.promise, over.signal)
  const dropped = [inTurn(work, over.signal), inTurn(work, over.signal)]
  const last = inTurn(work, NEVER)
  over.abort()
  for (const one of dropped) await expect(one).rejects.toMatchObject({ code: 'EAI_AGAIN' })
  await expect(inTurn(work, over.signal)).rejects.toMatchObject({ code: 'EAI_AGAIN' })
  expect(work).not.toHaveBeenCalled()
  first.resolve('first')
  expect([await running, await last]).toEqual(['first', 'done'])
  expect(work).toHaveBeenCalledTimes(1)
})

test('a signal ends what the name servers are asked', async () => {
  const over = new AbortController()
  const { servers } = await nameServer(() => {
    over.abort()
    return 'silence'
  })
  const { resolve } = resolveWith({ servers })
  await expect(resolve('shop.example', over.signal)).rejects.toMatchObject({
    code: 'EAI_AGAIN',
    cause: { code: 'ECANCELLED' },
  })
})

test('merchants whose name server says nothing keep nobody else’s webhooks waiting', async () => {
  const { merchant, outcome, worker } = scene()
  const hook = await receiver()
  const { servers } = await nameServer((name, type) => {
    if (!name.endsWith('live.example')) return 'silence'
    return type === 'A' ? [127, 0, 0, 1] : 'none'
  })
  const { resolve, system } = resolveWith({ servers })
  for (let n = 0; n < 20; n++) {
    await merchant(`dead-${n}`, `http://shop${n}.dead.example:81/`)
    await outcome(`dead-${n}`)
  }
  await merchant('live', `http://shop.live.example:${hook.port}/`)
  await outcome('live')
  const it = worker({ retryDelays: [] }, { resolve })
  const all = it.deliverDue()
  await hook.got(1)
  expect(await all).toEqual({ delivered: 1, failed: 20 })
  expect(system).not.toHaveBeenCalled()
})

test('a stop of the worker ends what is looked up', async () => {
  const asked = Promise.withResolvers<AbortSignal>()
  const { merchant, outcome, worker } = scene()
  await merchant('m1', 'http://shop.example/')
  await outcome('m1')
  const it = worker(
    { timeoutSeconds: 1 },
    {
      resolve: (_, signal) => {
        asked.resolve(signal)
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('over'))))
      },
    },
  )
  it.start()
  const signal = await asked.promise
  await it.stop()
  expect(signal.aborted).toBe(true)
})
