import { DatabaseError } from '@tillkit/storage'
import type { Connections } from '../../connections/connections.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { MayHaveLeft, whileCertain } from './while-certain.ts'

/** For how long a node that cannot be reached is left alone, in milliseconds: twice as long each time. */
const [QUIET_FOR, QUIET_AT_MOST] = [2000, 60_000]

/** A way to a node that has merchants' rows. */
export interface WayToNode {
  connections: Connections
  /** From now on a session is refused whose server is another one than that. */
  expect(identity: string): void
}

/** How a node is told from any other server. */
interface Proof {
  /** Which server has this merchant's rows, by way of the coordinator. */
  identityOf(merchantId: string): Promise<string | undefined>
  /** Sends something that only reads, by this way. */
  tryOut(): Promise<unknown>
  /** Whether it is certain that the node is still one of the cluster. */
  isCertain(): boolean
}

/**
 * The way straight to a node, for as long as it leads to the very server that the coordinator sends a merchant's calls to. By
 * its name alone it may lead a host elsewhere than it leads the coordinator: to nobody, or to a server of somebody else's.
 */
export class DirectNode {
  readonly #way: WayToNode
  readonly #proof: Proof
  #isProven = false
  #isProving = false
  #quietFor = QUIET_FOR
  #quietUntil = 0
  /**
   * The node's own while it is proven and certain, else the coordinator's: so what is tried again after the node was lost goes there, and
   * so does what waited for its turn or a connection while the node left the cluster.
   */
  readonly connections: Connections

  constructor(way: WayToNode, coordinator: Connections, dialect: Dialect, proof: Proof) {
    this.#way = way
    this.#proof = proof
    const straight = whileCertain(way.connections, dialect, proof.isCertain)
    const here = () => (this.#isProven && proof.isCertain() ? straight : coordinator)
    const watched = <Result>(answer: Promise<Result>) =>
      answer.catch(error => {
        const isOfWay = error instanceof MayHaveLeft || error instanceof DatabaseError
        if (isOfWay || dialect.isLost(error)) this.#isProven = false
        throw error
      })
    this.connections = {
      size: () => here().size(),
      isFree: () => here().isFree(),
      get readTurns() {
        return here().readTurns
      },
      hold: (...given) => watched(here().hold(...given)),
      transact: (...given) => watched(here().transact(...given)),
    }
  }

  /** Whether it is known to be the server that has this merchant's rows; where it is not, that is found out beside. */
  isProven(merchantId: string): boolean {
    if (!this.#isProven && !this.#isProving && performance.now() >= this.#quietUntil) {
      void this.#prove(merchantId)
    }
    return this.#isProven
  }

  async #prove(merchantId: string): Promise<void> {
    this.#isProving = true
    try {
      const identity = await this.#proof.identityOf(merchantId)
      // Of a merchant that nobody knows no node has a row.
      if (identity === undefined) return
      this.#way.expect(identity)
      await this.#proof.tryOut()
      this.#isProven = true
      this.#quietFor = QUIET_FOR
    } catch {
      this.#quietUntil = performance.now() + this.#quietFor
      this.#quietFor = Math.min(2 * this.#quietFor, QUIET_AT_MOST)
    } finally {
      this.#isProving = false
    }
  }
}
