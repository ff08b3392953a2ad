import { expect, test } from 'vitest'
import { Crowd } from '../../src/crowds/crowd.ts'
import { DatabaseError } from '../../src/index.ts'

const AWAY = new DatabaseError('the database cannot be reached')

/** Three calls that wait for a connection, which `ask` gets for all of them or does not, and what each is told. */
function threeCalls(ask: (take: () => number[]) => void) {
  const crowd = new Crowd<number, string>({
    isBusy: () => true,
    async together(take) {
      // The others come meanwhile.
      await Promise.resolve()
      ask(take)
      throw AWAY
    },
    alone: async one => `${one} by itself`,
    isOfEach: () => true,
  })
  return Promise.allSettled([1, 2, 3].map(one => crowd.call(one)))
}

test('that whoever waited longest got no connection is not the answer of the others: each asks by itself', async () => {
  const told = [1, 2, 3].map(one => ({ status: 'fulfilled', value: `${one} by itself` }))
  expect(await threeCalls(() => {})).toEqual(told)
})

test('what a statement for all of them came to is the answer of each', async () => {
  const told = [1, 2, 3].map(() => ({ status: 'rejected', reason: AWAY }))
  expect(await threeCalls(take => expect(take()).toEqual([1, 2, 3]))).toEqual(told)
})
