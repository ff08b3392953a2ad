import type { CommandGroup, CommandSpec } from '../program/command-spec.ts'
import { cashUps } from './cash-ups.ts'
import { codes } from './codes/codes.ts'
import { complete } from './complete.ts'
import { doctor } from './doctor/doctor.ts'
import { keys } from './keys.ts'
import { merchants } from './merchants.ts'
import { migrate } from './migrate.ts'
import { payments } from './payments/payments.ts'
import { reconcile } from './reconcile.ts'
import { report } from './report.ts'
import { serve } from './serve.ts'
import { settlements } from './settlements/settlements.ts'
import { webhooks } from './webhooks/webhooks.ts'
import { worker } from './worker.ts'

/** Every command, in the order of the help: a file each, or a file a group. What is added here is there. */
export const COMMANDS: readonly (CommandSpec | CommandGroup)[] = [
  serve,
  worker,
  migrate,
  doctor,
  merchants,
  keys,
  codes,
  payments,
  cashUps,
  settlements,
  webhooks,
  reconcile,
  report,
  complete,
]
