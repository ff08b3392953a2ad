import { CommitUnknownError } from '@tillkit/storage'

/**
 * The server has the commit, and gave up the wait for its synchronous standby. It is not run again: a write that is found done
 * waits for no standby.
 */
export class CommitUnsynced extends CommitUnknownError {
  constructor(cause?: unknown) {
    super(cause)
    this.message =
      'the wait of a commit for the synchronous standby was canceled; whether it outlasts this server is unknown'
  }
}

/** What to say of a commit that the server did not answer itself. */
export function commitUnknown(error: unknown): CommitUnknownError {
  return error instanceof CommitUnknownError ? error : new CommitUnknownError(error)
}
