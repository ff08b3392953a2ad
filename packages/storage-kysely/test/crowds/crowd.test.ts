import { expect, test } from 'vitest'
import { CommitUnsynced } from '../../src/connections/commit-unknown.ts'
import { Crowd } from '../../src/crowds/crowd.ts'
import { CommitUnknownError, DatabaseError } from '../../src/index.ts'

const AWAY = new DatabaseError('the database cannot be reached')

/** Three calls that wait for a connection, which `ask` gets for all of them or does not, and what each is told. */
function threeCalls(ask: (take: () => number[]) => void, failed: Error = AWAY, apart = 0) {
  const crowd = new Crowd<number, string>({
    isBusy: () => true,
    async together(take) {
      // The others come meanwhile.
      await Promise.resolve()
      ask(take)
      throw failed
    },
    alone: async one => `${one} by itself`,
    isOfEach: () => true,
    repeatable: true,
  })
  return Promise.allSettled([1, 2, 3].map(one => crowd.call(one, one * apart)))
}

test('that whoever waited longest got no connection is not the answer of the others: each asks by itself', async () => {
  const told = [1, 2, 3].map(one => ({ status: 'fulfilled', value: `${one} by itself` }))
  expect(await threeCalls(() => {})).toEqual(told)
})

test('what a statement for all of them came to is the answer of each', async () => {
  const told = [1, 2, 3].map(() => ({ status: 'rejected', reason: AWAY }))
  expect(await threeCalls(take => expect(take()).toEqual([1, 2, 3]))).toEqual(told)
})

test.each([
  { what: 'nobody knows about', failed: new CommitUnknownError(AWAY), later: 'fulfilled' },
  { what: 'whose wait for the standby was ended', failed: new CommitUnsynced(), later: 'rejected' },
])('a statement $what: the calls of those that came later are $later', async ({ failed, later }) => {
  const told = (await threeCalls(take => take(), failed, 1000)).map(({ status }) => status)
  expect(told).toEqual(['rejected', later, later])
})
