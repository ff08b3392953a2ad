/** How the delivery worker of this process is. */
export interface WorkerStanding {
  /** `off` where it was not started, or has stopped; `stopping` while it ends what it has in flight. */
  state: 'off' | 'running' | 'stopping'
  /**
   * How many seconds ago it last had taken up all that was due, but for what waits its turn at one merchant of whom enough is
   * under way, and no claim had failed for ten seconds: a second or two where nothing is wrong. 0 where it is off.
   */
  secondsBehind: number
  /**
   * How many seconds ago it last got on: no claim was unanswered or had failed for ten seconds, unless an attempt had ended
   * since, and attempts ended, or none waited for a place. A few seconds where nothing is wrong, however much is due: where all places are taken, it gets on until none has
   * ended for as long as an attempt may take, and 10 s for its result. 0 where it is off.
   */
  secondsStill: number
}

/** What a stop of the delivery worker waited for. */
export interface Stopped {
  /** Attempts that were in flight when it began and have ended since. */
  attempts: number
  /** Deliveries that were claimed and not begun: they were given back, and are due at once. */
  givenBack: number
  /** Attempts that had not ended after `limitSeconds`: whoever claims next makes them again once their leases have ended. */
  givenUp: number
  /** How long a stop waits at most, in seconds: `timeoutSeconds` and 10. */
  limitSeconds: number
  /** How long this one took. */
  milliseconds: number
}
