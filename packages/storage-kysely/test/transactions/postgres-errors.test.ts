import { CommitUnknownError, DatabaseError } from '@tillkit/storage'
import { expect, test } from 'vitest'
import { postgresStorage } from '../../src/postgres/index.ts'
import { PATIENT } from '../engines/address.ts'
import { attempt, merchantId, NOW } from '../faults/shop.ts'
import { failingPool } from '../hearing/failing-pool.ts'

type Fate = 'again' | 'idle' | 'lost' | 'unknown' | 'final' | 'ended'

const SHARD = 'could not commit transaction for shard 102008 on any active node'

const NODE = 'connection to the remote node till@two:5432 failed with the following error:'
const REFUSED = `${NODE} FATAL:  the database system is starting up`
const LOST = `${NODE} connection not open`

/**
 * What an error leaves of a statement: nothing, so that it is run again, on another session where this one had lain idle; nobody knows, with the session lost, so that a read
 * is sent on another, or without a sign that another would do better; or nothing, and that is final, or final for this session alone.
 */
const ERRORS: [code: string, severity: string, message: string, fate: Fate][] = [
  ['40000', 'ERROR', 'transaction rollback', 'again'],
  ['40001', 'ERROR', 'could not serialize access due to concurrent update', 'again'],
  ['40P01', 'ERROR', 'deadlock detected', 'again'],
  ['55P03', 'ERROR', 'canceling statement due to lock timeout', 'again'],
  ['XX000', 'ERROR', 'could not find valid entry for shard 105367', 'again'],
  ['XX000', 'ERROR', 'could not open relation with OID 59930', 'again'],
  ['XX000', 'ERROR', 'cache lookup failed for function 41271', 'again'],
  ['08006', 'ERROR', REFUSED, 'again'],
  ['08006', 'ERROR', LOST, 'lost'],
  ['08P01', 'ERROR', 'server conn crashed?', 'lost'],
  ['08006', 'FATAL', 'connection failure', 'lost'],
  ['25P03', 'FATAL', 'terminating connection due to idle-in-transaction timeout', 'lost'],
  ['25P04', 'FATAL', 'terminating connection due to transaction timeout', 'lost'],
  ['40003', 'ERROR', 'statement completion unknown', 'unknown'],
  ['53300', 'FATAL', 'sorry, too many clients already', 'lost'],
  ['57P01', 'FATAL', 'terminating connection due to administrator command', 'lost'],
  ['57P02', 'FATAL', 'terminating connection because of crash of another server process', 'lost'],
  ['57P03', 'FATAL', 'the database system is shutting down', 'lost'],
  ['57P05', 'FATAL', 'terminating connection due to idle-session timeout', 'idle'],
  ['57P04', 'FATAL', 'database was dropped', 'unknown'],
  ['XX000', 'FATAL', 'an end without a code of its own', 'unknown'],
  ['XX000', 'ERROR', SHARD, 'unknown'],
  ['XX000', 'ERROR', 'postmaster was shut down, exiting', 'lost'],
  ['XX000', 'ERROR', 'failure on connection marked as essential: two:5432', 'lost'],
  ['XX000', 'ERROR', 'server closed the connection unexpectedly', 'lost'],
  ['XX000', 'ERROR', 'SSL SYSCALL error: EOF detected', 'lost'],
  ['XX000', 'ERROR', 'SSL connection has been closed unexpectedly', 'lost'],
  ['XX000', 'ERROR', 'could not receive data from server: Connection reset by peer', 'lost'],
  ['XX000', 'ERROR', 'cache lookup failed for relation 4711', 'final'],
  ['XX001', 'ERROR', 'invalid page in block 7', 'final'],
  ['XX002', 'ERROR', 'index is corrupt', 'final'],
  ['25006', 'ERROR', 'cannot execute UPDATE in a read-only transaction', 'ended'],
  ['42501', 'ERROR', 'permission denied for table tillkit_ledgers', 'final'],
  ['53100', 'ERROR', 'could not extend file: No space left on device', 'final'],
  ['53200', 'ERROR', 'out of memory', 'final'],
  ['53400', 'ERROR', 'temporary file size exceeds temp_file_limit (1024kB)', 'ended'],
  ['57014', 'ERROR', 'canceling statement due to statement timeout', 'ended'],
  ['58030', 'ERROR', 'could not read block 7', 'final'],
]

test.each(ERRORS)('%s, %s, %s: a start is %s', async (code, severity, message, fate) => {
  const pool = failingPool({ code, severity, message })
  const { payments } = postgresStorage({ pool, ...PATIENT })
  const unknown = fate === 'lost' || fate === 'unknown'
  const started = payments.start(attempt(), NOW)
  const again = fate === 'again' || fate === 'idle'
  if (again) {
    expect((await started).created).toBe(true)
  } else {
    const error: unknown = await started.catch(thrown => thrown)
    expect(error).toBeInstanceOf(DatabaseError)
    expect(error instanceof CommitUnknownError).toBe(unknown)
  }
  expect(pool.sent).toBe(again ? 2 : 1)
  expect(pool.ended).toBe(unknown || fate === 'ended' || fate === 'idle')
})

test.each(ERRORS)(
  '%s, %s, %s: an outcome, which may be written twice',
  async (code, severity, message, fate) => {
    const pool = failingPool({ code, severity, message })
    const resolved = postgresStorage({ pool, ...PATIENT })
      .payments.resolve({ merchantId, id: 1 }, { status: 'completed' }, NOW)
      .catch(error => error)
    // What answers is no payment: that it was asked a second time is what counts.
    await resolved
    expect(pool.sent).toBe(['final', 'ended'].includes(fate) ? 1 : 2)
  },
)

test.each(ERRORS)('%s, %s, %s: a read is never unknown', async (code, severity, message, fate) => {
  const pool = failingPool({ code, severity, message })
  const read: unknown = await postgresStorage({ pool, ...PATIENT })
    .merchants.get(merchantId)
    .catch(error => error)
  const again = ['again', 'idle', 'lost'].includes(fate)
  expect(pool.sent).toBe(again ? 2 : 1)
  if (again) expect(read).toBe(null)
  else expect(read).toBeInstanceOf(DatabaseError)
  expect(read).not.toBeInstanceOf(CommitUnknownError)
})

test('a node that was lost is said to be out of reach, also where its words may hold values', async () => {
  const message = 'SSL SYSCALL error: EOF detected'
  const pool = failingPool({ code: 'XX000', severity: 'ERROR', message })
  const read = postgresStorage({ pool, ...PATIENT }).transaction(({ merchants }) => merchants.get(merchantId))
  await expect(read).rejects.toThrow(/^the database cannot be reached: error XX000/)
})

test('a session that knows of tables that lie otherwise now is given up, and another one asked', async () => {
  const message = 'could not run distributed query with FOR UPDATE/SHARE commands'
  const pool = failingPool({ code: '0A000', severity: 'ERROR', message })
  const { payments } = postgresStorage({ pool, ...PATIENT })
  expect((await payments.start(attempt(), NOW)).created).toBe(true)
  expect(pool.sent).toBe(2)
  expect(pool.ended).toBe(true)
})

test('a rule on the tables is no reason to ask another session: the error says at once that it is one', async () => {
  const message = 'cannot perform UPDATE RETURNING on relation "tillkit_payments"'
  const pool = failingPool({ code: '0A000', severity: 'ERROR', message, routine: 'RewriteQuery' })
  const started = postgresStorage({ pool, ...PATIENT }).payments.start(attempt(), NOW)
  await expect(started).rejects.toThrow(
    `a rule on the Tillkit tables makes other statements of Tillkit’s, drop it: ${message}`,
  )
  expect([pool.sent, pool.ended]).toEqual([1, false])
})
