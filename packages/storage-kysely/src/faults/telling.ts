import type { Storage } from '@tillkit/storage'
import type { Dialect } from '../dialects/dialect.ts'
import { faultOf } from './fault-of.ts'

type Call = (...given: unknown[]) => unknown

/** The port, whose every call that fails fails with what a person can use: the one place where errors leave a storage. */
export function telling(storage: Storage, dialect: Dialect): Storage {
  const members = Object.entries(storage).map(([name, member]) => [name, tellingMember(member, dialect)])
  return Object.fromEntries(members) as Storage
}

function tellingMember(member: unknown, dialect: Dialect): unknown {
  if (typeof member === 'function') return tellingCall(member as Call, dialect)
  if (typeof member !== 'object' || member === null) return member
  return Object.fromEntries(
    Object.entries(member).map(([name, call]) => [name, tellingCall(call as Call, dialect)]),
  )
}

function tellingCall(call: Call, dialect: Dialect): Call {
  return async (...given) => {
    try {
      return await call(...given)
    } catch (error) {
      throw faultOf(error, dialect)
    }
  }
}
