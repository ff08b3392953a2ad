import type { Database } from '../../session/database.ts'

/** How many milliseconds claims do without a shard that was held, and without a merchant whose deliveries were not to be had. */
const [HELD_FOR, FAILING_FOR] = [1000, 5000]

/** Of how many merchants is it remembered: each is named in what claims ask for. */
const MOST_ASIDE = 1000

/** Whom the claims of this process leave aside for a moment: to find out once more what the one before has just met takes time from all others. */
export interface LeftAside {
  /** Whom a claim need not ask for at all. */
  merchants(): { held: string[]; failing: string[] }
  /** Whether the merchant's shard is known to be held: others of it say so as well. */
  isHeld(merchantId: string): boolean
  /** Says that the merchant's shard was not to be had in time. */
  held(merchantId: string): void
  /** Says that the merchant's deliveries were not to be had for another reason. */
  failed(merchantId: string): void
}

export function createLeftAside({ shardOf }: Pick<Database, 'shardOf'>): LeftAside {
  const shards = new Map<number, number>()
  const [held, failing] = [new Map<string, number>(), new Map<string, number>()]

  const leaveAside = (those: Map<string, number>, merchantId: string, until: number) => {
    if (held.size + failing.size < MOST_ASIDE) those.set(merchantId, until)
  }

  return {
    merchants() {
      for (const untils of [shards, held, failing]) forgetPast(untils)
      return { held: [...held.keys()], failing: [...failing.keys()] }
    },
    isHeld(merchantId) {
      if (shards.size === 0) return false
      const id = shardOf?.(merchantId)?.id
      const until = id === undefined ? undefined : shards.get(id)
      if (until === undefined) return false
      leaveAside(held, merchantId, until)
      return true
    },
    held(merchantId) {
      const until = performance.now() + HELD_FOR
      const id = shardOf?.(merchantId)?.id
      if (id !== undefined) shards.set(id, until)
      leaveAside(held, merchantId, until)
    },
    failed: merchantId => leaveAside(failing, merchantId, performance.now() + FAILING_FOR),
  }
}

function forgetPast(untils: Map<unknown, number>): void {
  const now = performance.now()
  for (const [one, until] of untils) if (until <= now) untils.delete(one)
}
