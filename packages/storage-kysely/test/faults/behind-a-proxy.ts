import { afterEach, beforeEach } from 'vitest'
import type { DatabaseStorage } from '../../src/index.ts'
import { type Address, storageAt } from '../engines/address.ts'
import { type CuttingProxy, startProxy } from './proxy.ts'
import { byPort, serverOf } from './session.ts'

/** A storage whose connections can be cut. */
interface Distant {
  readonly proxy: CuttingProxy
  readonly storage: DatabaseStorage
}

/** Opens one at a database before each test of a suite, and closes it after. */
export function behindAProxy(addressOf: () => Address): Distant {
  const distant: { -readonly [Part in keyof Distant]?: Distant[Part] } = {}
  beforeEach(async () => {
    const address = addressOf()
    const proxy = await startProxy(serverOf(address))
    Object.assign(distant, { proxy, storage: storageAt(byPort(address, proxy.port)) })
  })
  afterEach(async () => {
    await distant.storage?.close()
    await distant.proxy?.close()
  })
  return distant as Distant
}
