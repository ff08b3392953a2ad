import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { memoryStorage } from '@tillkit/storage/memory'
import { describe, expect, test, vi } from 'vitest'
import { refusal } from '../../till-of.ts'
import { heldReceiver, receiver } from '../receiver.ts'
import { tillScene } from '../till-scene.ts'

const tick = () => new Promise(resolve => setImmediate(resolve))

/** What a stop says that it waited for. */
const waited = (report: object) => ({
  ...{ attempts: 0, givenBack: 0, givenUp: 0, limitSeconds: 15, milliseconds: expect.any(Number) },
  ...report,
})

/** Whether a promise has settled by now. */
function watched(promise: Promise<unknown>) {
  const state = { over: false }
  promise.then(() => {
    state.over = true
  })
  return state
}

describe('run', () => {
  test('delivers until its signal is aborted, and resolves after what is in flight', async () => {
    const hook = await heldReceiver()
    const { till, paid, delivery } = await tillScene(hook.url, { webhooks: { concurrency: 1 } })
    await paid()
    await paid()
    const controller = new AbortController()
    const run = till.webhooks.run({ signal: controller.signal })
    const state = watched(run)
    await hook.got(1)
    controller.abort()
    await tick()
    expect(state.over).toBe(false)
    hook.release()
    // The one in flight, and the one that was claimed beside it and had no place.
    expect(await run).toEqual(waited({ attempts: 1, givenBack: 1 }))
    expect(await delivery(1)).toMatchObject({ state: 'delivered' })
    expect(await delivery(2)).toMatchObject({ state: 'pending', attempts: 0 })
    expect(await till.webhooks.counts()).toMatchObject({ due: 1 })
  })

  test.each(['stop', 'close'] as const)('resolves when the till is told to %s', async how => {
    const hook = await receiver()
    const { till, paid } = await tillScene(hook.url)
    const runs = [till.webhooks.run(), till.webhooks.run({}), till.webhooks.run({ signal: undefined })]
    till.webhooks.start()
    await paid()
    await hook.got(1)
    await (how === 'stop' ? till.webhooks.stop() : till.close())
    await Promise.all(runs)
  })

  test('twice and beside start: the first signal stops the one worker there is', async () => {
    const hook = await receiver()
    const { till, paid } = await tillScene(hook.url)
    till.webhooks.start()
    const [first, second] = [new AbortController(), new AbortController()]
    const runs = [till.webhooks.run({ signal: first.signal }), till.webhooks.run({ signal: second.signal })]
    await paid()
    await hook.got(1)
    second.abort()
    await Promise.all(runs)
    first.abort()
    await paid()
    await tick()
    expect(await till.webhooks.counts()).toMatchObject({ due: 1 })
    const again = till.webhooks.run()
    await hook.got(2)
    await till.webhooks.stop()
    await again
  })

  test('a signal stops no worker that was started after its own run had ended', async () => {
    const hook = await receiver()
    const { till, paid } = await tillScene(hook.url)
    const controller = new AbortController()
    const run = till.webhooks.run({ signal: controller.signal })
    await till.webhooks.stop()
    await run
    till.webhooks.start()
    controller.abort()
    expect(till.standing().worker.state).toBe('running')
    await paid()
    await hook.got(1)
  })

  test('one that is begun during a stop ends with it where that is asked for once more', async () => {
    const hook = await heldReceiver()
    const { till, paid } = await tillScene(hook.url)
    await paid()
    till.webhooks.start()
    await hook.got(1)
    const stopping = till.webhooks.stop()
    const run = till.webhooks.run()
    const closing = till.close()
    hook.release()
    expect(await run).toEqual(await stopping)
    await closing
  })

  test('a stop returns what it waited for, and it is logged once, however often it is asked for', async () => {
    const hook = await heldReceiver()
    const info = vi.fn()
    const logger = { debug() {}, info, warn() {}, error() {} }
    const { till, paid } = await tillScene(hook.url, { logger })
    expect(await till.webhooks.stop()).toEqual(waited({}))
    expect(info).not.toHaveBeenCalled()
    await paid()
    till.webhooks.start()
    await hook.got(1)
    expect(till.standing()).toMatchObject({ closing: false, worker: { state: 'running' } })
    const [stopping, closing] = [till.webhooks.stop(), till.close()]
    expect(till.standing()).toMatchObject({ closing: true, worker: { state: 'stopping' } })
    hook.release()
    expect(await stopping).toEqual(waited({ attempts: 1 }))
    await closing
    expect(info.mock.calls).toEqual([[await stopping, 'webhooks stopped']])
    expect(till.standing()).toEqual({
      closing: true,
      worker: { state: 'off', secondsBehind: 0, secondsStill: 0 },
    })
  })

  test('with a signal that is aborted already does nothing', async () => {
    const hook = await receiver()
    const { till, paid } = await tillScene(hook.url)
    await paid()
    expect(await till.webhooks.run({ signal: AbortSignal.abort() })).toEqual(waited({}))
    await tick()
    expect(hook.connections()).toBe(0)
  })

  test('nothing starts the worker of a till that was closed, or is being closed', async () => {
    const hook = await heldReceiver()
    const { till, paid } = await tillScene(hook.url)
    await paid()
    till.webhooks.start()
    await hook.got(1)
    const closing = till.close()
    till.webhooks.start()
    expect(await till.webhooks.run()).toEqual(waited({}))
    hook.release()
    await closing
    await paid()
    till.webhooks.start()
    expect(await till.webhooks.run()).toEqual(waited({}))
    await till.close()
    expect(till.standing()).toMatchObject({ closing: true, worker: { state: 'off' } })
    expect(hook.received).toHaveLength(1)
  })

  test('waits for a storage that is away at the start', async () => {
    const hook = await receiver()
    const storage = memoryStorage()
    const { claim } = storage.deliveries
    let claims = 0
    storage.deliveries.claim = async request => {
      if (claims++ === 0) throw new Error('the database is away')
      return claim(request)
    }
    const { till, paid } = await tillScene(hook.url, { storage, logger: false })
    await paid()
    const run = till.webhooks.run()
    await hook.got(1)
    await till.webhooks.stop()
    await run
  })

  test.each([
    [{ signal: 'stop' }, 'invalid_input: signal must be an AbortSignal'],
    [{ signal: null }, 'invalid_input: signal must be an AbortSignal'],
    [{ singal: new AbortController().signal }, /^invalid_input: .*singal/],
    ['now', /^invalid_input: /],
  ])('refuses %j', async (options, message) => {
    const { till } = await tillScene(null)
    const said = await refusal(till.webhooks.run(options as never))
    if (typeof message === 'string') expect(said).toBe(message)
    else expect(said).toMatch(message)
  })

  test('keeps its process alive until then, and no longer', async () => {
    const program = `
      import { memoryStorage } from '@tillkit/storage/memory'
      import { createTill } from '@tillkit/till'
      const till = createTill({ storage: memoryStorage() })
      const controller = new AbortController()
      process.on('SIGTERM', () => controller.abort())
      setImmediate(() => process.stdout.write('running '))
      await till.webhooks.run({ signal: controller.signal })
      process.stdout.write('stopped')`
    const child = spawn(
      process.execPath,
      ['--conditions=@tillkit/source', '--input-type=module', '--eval', program],
      { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let said = ''
    child.stdout.on('data', text => {
      said += text
      if (said === 'running ') setTimeout(() => child.kill('SIGTERM'), 100)
    })
    const [code] = await once(child, 'exit')
    expect([code, said]).toEqual([0, 'running stopped'])
  })
})

test.each(['there', 'away'])('start keeps no process alive, while the storage is %s', async how => {
  const program = `
    import { memoryStorage } from '@tillkit/storage/memory'
    import { createTill } from '@tillkit/till'
    const storage = memoryStorage()
    let asked = 0
    storage.deliveries.claim = async () => {
      asked++
      if ('${how}' === 'away') throw new Error('away')
      return []
    }
    createTill({ storage, logger: false }).webhooks.start()
    process.on('exit', () => process.stdout.write(asked > 0 ? 'asked' : 'not asked'))`
  const child = spawn(
    process.execPath,
    ['--conditions=@tillkit/source', '--input-type=module', '--eval', program],
    { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'], timeout: 120_000 },
  )
  let said = ''
  child.stdout.on('data', text => {
    said += text
  })
  const [code] = await once(child, 'close')
  expect([code, said]).toEqual([0, 'asked'])
})

describe('on', () => {
  test.each(['failed', 'Delivered', '', '__proto__', 'constructor', undefined, null, 1, {}, ['delivered']])(
    'refuses the event %j',
    async name => {
      const { till } = await tillScene(null)
      const listen = async () => till.webhooks.on(name as never, () => {})
      expect(await refusal(listen())).toBe(
        'invalid_input: an event of webhooks must be one of delivered, attemptFailed, exhausted, paused',
      )
    },
  )

  test.each([undefined, null, 'console.log', {}])('refuses the listener %j', async listener => {
    const { till } = await tillScene(null)
    const listen = async () => till.webhooks.on('delivered', listener as never)
    expect(await refusal(listen())).toBe('invalid_input: the listener of delivered must be a function')
  })
})
