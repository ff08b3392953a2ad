import type { NewPayment, Outcome } from '@tillkit/domain'
import type { Started } from '@tillkit/storage'
import type { TimeLimits } from '../../src/connections/limits/time-limits.ts'
import type { DatabaseStorage } from '../../src/index.ts'
import { type Address, storageAt } from '../engines/address.ts'
import type { Engine } from '../engines/engine.ts'
import { type Narrow, narrowAt } from '../engines/narrow.ts'
import { blocked, openSession, type Session } from '../faults/session.ts'
import { ALL, attempt, merchantId, NOW, openShop } from '../faults/shop.ts'

export const completed: Outcome = { status: 'completed' }
export const UNTIL = '2026-11-20T09:31:00.000Z'
export const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
export const neighbours = upTo(30).map(n => `neighbour-${n}`)

/** A shop and its neighbours, and storages of one connection, at which a crowd gathers behind whoever has it. */
export class CrowdGround {
  readonly address: Address
  readonly storage: DatabaseStorage
  /** Another's, which holds locks. */
  readonly session: Session
  readonly #drop: () => Promise<void>
  readonly #ends: (() => Promise<unknown>)[] = []

  private constructor(
    address: Address,
    storage: DatabaseStorage,
    session: Session,
    drop: () => Promise<void>,
  ) {
    this.address = address
    this.storage = storage
    this.session = session
    this.#drop = drop
  }

  static async open({ create }: Engine): Promise<CrowdGround> {
    const { address, drop } = await create()
    const storage = storageAt(address)
    await storage.migrate()
    for (const id of [merchantId, ...neighbours]) await openShop(storage, id)
    return new CrowdGround(address, storage, await openSession(address), drop)
  }

  async close(): Promise<void> {
    for (const end of [...this.#ends, () => this.session.close(), () => this.storage.close()]) await end()
    await this.#drop()
  }

  /** A storage of one connection, and what is sent over it from now on. */
  async narrow(address = this.address, limits?: TimeLimits): Promise<Narrow> {
    const narrow = narrowAt(address, limits)
    this.#ends.push(narrow.close)
    await narrow.over.payments.get({ merchantId, id: 1 })
    narrow.texts.length = 0
    return narrow
  }

  start(id: string, fields: Partial<NewPayment> = {}, over = this.storage): Promise<Started> {
    return over.payments.start(attempt({ merchantId: id, ...fields }), NOW)
  }

  async hold(table: string, id: string, by = this.session): Promise<void> {
    await by.run('begin')
    await by.run(`select * from ${by.table(table)} where merchant_id = '${id}' for update`)
  }

  letGo(by = this.session): Promise<unknown> {
    return by.run('rollback')
  }

  /** Has a start of the shop's wait for its lock, over the one connection that there is; what is returned lets it go on. */
  async takeConnection({ over, texts }: Narrow): Promise<() => Promise<void>> {
    await this.hold('ledgers', merchantId)
    texts.length = 0
    const waiting = this.start(merchantId, {}, over)
    await blocked(this.address)
    return async () => {
      await this.letGo()
      await waiting
    }
  }

  async deliveriesOf(id: string) {
    return (await this.storage.deliveries.list(id, undefined, ALL)).items
  }
}
