import type { CommandGroup } from '../../program/command-spec.ts'
import { attempts } from './attempts.ts'
import { list } from './list.ts'
import { paused } from './paused.ts'
import { purge } from './purge.ts'
import { redeliver } from './redeliver.ts'
import { test } from './test.ts'

export const webhooks: CommandGroup = {
  name: 'webhooks',
  about: 'What merchants were told of their payments.',
  commands: [list, attempts, redeliver, test, paused, purge],
}
