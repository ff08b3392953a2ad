/** How much was dated into the future by a clock that was wrong, and is put to the time that it is. */
export interface RepairedDates {
  /** Payments that were dated after the time that it is. */
  payments: number
  /** Cash ups that were. */
  cashUps: number
  /** With the attempts of each; those that waited for a wrong time are due. */
  deliveries: number
  /** Endpoints that had failed since, or were paused at, a time to come; the paused are awake. */
  endpoints: number
}
