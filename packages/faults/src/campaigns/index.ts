import { bank } from './bank.ts'
import type { Campaign } from './campaign.ts'
import { connections } from './connections.ts'
import { disk } from './disk.ts'
import { proxy } from './proxy.ts'
import { restarts } from './restarts.ts'
import { shops } from './shops.ts'
import { soak } from './soak.ts'
import { standby } from './standby.ts'
import { stops } from './stops.ts'
import { workers } from './workers.ts'

export const CAMPAIGNS: readonly Campaign[] = [
  workers,
  shops,
  restarts,
  standby,
  connections,
  proxy,
  disk,
  stops,
  bank,
  soak,
]
