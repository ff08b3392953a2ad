import { CommitUnknownError } from '@tillkit/storage'
import type { Dialect } from '../dialects/dialect.ts'
import { NotCommitted } from './left-open.ts'

/**
 * The server has the commit, and gave up the wait for its synchronous standby. It is not run again: whoever ended the wait would have
 * to end the next one too.
 */
export class CommitUnsynced extends CommitUnknownError {
  constructor(cause?: unknown) {
    super(cause)
    this.message =
      'the wait of a commit for the synchronous standby was canceled; whether it outlasts this server is unknown'
  }
}

/**
 * What to throw in the place of what a commit, or a write by itself, ended in: that it is unknown, where the server did not answer it
 * itself, nor ended its session before.
 */
export function ofCommit(error: unknown, { isAnswer, isUnbegun }: Dialect): unknown {
  if (
    isAnswer(error) ||
    isUnbegun?.(error) ||
    error instanceof NotCommitted ||
    error instanceof CommitUnknownError
  )
    return error
  return new CommitUnknownError(error)
}
