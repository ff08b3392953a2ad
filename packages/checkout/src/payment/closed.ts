/** Thrown at a press that comes once its charger is closed: nobody would wait for its charge. */
export class Closed extends Error {
  constructor() {
    super('no payment is started any more: what charges them is closed')
  }
}
