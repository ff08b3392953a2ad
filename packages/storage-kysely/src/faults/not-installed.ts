import { DatabaseError } from '@tillkit/storage'
import { errorCode } from '../dialects/error-code.ts'

/** Why a driver, which is an optional peer, was not to be had. */
export function notInstalled(driver: string, cause: unknown): DatabaseError {
  // The second is what `require` says, which some bundlers write for `import()`.
  const missing = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(errorCode(cause))
  const why = missing ? 'is not installed' : 'cannot be loaded'
  return new DatabaseError(`the package ${driver} ${why}: npm install ${driver}`, { cause })
}
