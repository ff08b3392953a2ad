import type { Session } from './session.ts'

/** Something that is tried, with questions of its own. */
export interface Check {
  name: string
  section: string
  title: string
  /** Asks, and says what differs. Throws `NotTried` where there is nothing to try it on. */
  run(session: Session): Promise<void>
}
