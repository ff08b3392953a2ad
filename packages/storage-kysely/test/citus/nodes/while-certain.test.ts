import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { whileCertain } from '../../../src/citus/nodes/while-certain.ts'
import type { Connections, Execute } from '../../../src/connections/connections.ts'
import { Deadline } from '../../../src/connections/limits/deadline.ts'
import { dialectOf } from '../../../src/dialects/index.ts'

test('a transaction at a node that may have left the cluster since its last statement is not committed', async () => {
  let certain = true
  let committed = 0
  const execute: Execute = async () => ({ rows: [] })
  const node = {
    async transact(_deadline, work) {
      const result = await work(execute)
      committed += 1
      return result
    },
  } as Pick<Connections, 'transact'> as Connections
  const straight = whileCertain(node, dialectOf('postgres'), () => certain)
  const write = (isCertain: boolean) =>
    straight.transact(
      new Deadline(1000),
      async send => {
        await send(CompiledQuery.raw('select 1'))
        certain = isCertain
        return 'written'
      },
      {},
    )
  expect(await write(true)).toBe('written')
  const left = await write(false).catch(error => error)
  // To be run again, by way of the coordinator.
  expect(dialectOf('postgres').isTransient(left)).toBe(true)
  expect(committed).toBe(1)
})
