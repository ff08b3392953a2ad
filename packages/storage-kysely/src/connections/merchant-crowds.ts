import { Crowd, type CrowdWork } from './crowd.ts'

/** Crowds each of one merchant, where a statement is for one merchant's rows only. There is none of whoever waits for nothing. */
export class MerchantCrowds<One extends { merchantId: string }, Answer> {
  readonly #work: CrowdWork<One, Answer>
  readonly #crowds = new Map<string, { crowd: Crowd<One, Answer>; calls: number }>()

  constructor(work: CrowdWork<One, Answer>) {
    this.#work = work
  }

  async call(one: One): Promise<Answer> {
    const { merchantId } = one
    const known = this.#crowds.get(merchantId) ?? { crowd: new Crowd(this.#work), calls: 0 }
    this.#crowds.set(merchantId, known)
    known.calls += 1
    try {
      return await known.crowd.call(one)
    } finally {
      known.calls -= 1
      if (known.calls === 0) this.#crowds.delete(merchantId)
    }
  }
}
