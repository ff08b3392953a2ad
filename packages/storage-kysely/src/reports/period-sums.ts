import type { Payment, PaymentStatus, PeriodReport } from '@tillkit/domain'
import { type KeptTally, Tally, tallyOf } from './tally.ts'

/** What a block of payments adds to a report, as it is kept. None of them is pending. */
export interface KeptTotals {
  completed: KeptTally
  error: KeptTally
  issued: KeptTally
  redeemed: KeptTally
  /** With the reference of each code, and the last payment that has it. */
  codes: [code: string, reference: string | null, id: number, tally: KeptTally][]
  devices: [serialNumber: string | null, tally: KeptTally][]
}

type Broken = Pick<PeriodReport<bigint>, 'byStatus' | 'vouchers' | 'byScanCode' | 'byDevice'>

/** What payments come to, by all that a report tells apart. */
export class PeriodSums {
  readonly #byStatus = { pending: new Tally(), completed: new Tally(), error: new Tally() }
  readonly #issued = new Tally()
  readonly #redeemed = new Tally()
  readonly #codes = new Map<string, Tally>()
  readonly #references = new Map<string, { id: number; reference: string | null }>()
  readonly #devices = new Map<string | null, Tally>()

  add(payment: Payment, status: PaymentStatus): void {
    const { totalAmount, tipAmount, scanCode } = payment
    this.#byStatus[status].add(totalAmount, tipAmount)
    if (status !== 'completed') return
    if (payment.isVoucher) this.#issued.add(totalAmount, tipAmount)
    if (payment.isVoucherRedemption) this.#redeemed.add(totalAmount, tipAmount)
    tallyOf(this.#codes, scanCode).add(totalAmount, tipAmount)
    tallyOf(this.#devices, payment.deviceSerialNumber).add(totalAmount, tipAmount)
    this.#refer(scanCode, payment.scanCodeReference, payment.id)
  }

  addKept({ completed, error, issued, redeemed, codes, devices }: KeptTotals): void {
    this.#byStatus.completed.addKept(completed)
    this.#byStatus.error.addKept(error)
    this.#issued.addKept(issued)
    this.#redeemed.addKept(redeemed)
    for (const [code, reference, id, tally] of codes) {
      tallyOf(this.#codes, code).addKept(tally)
      this.#refer(code, reference, id)
    }
    for (const [serialNumber, tally] of devices) tallyOf(this.#devices, serialNumber).addKept(tally)
  }

  /** Payments come in any order: the last one's reference counts. */
  #refer(code: string, reference: string | null, id: number): void {
    const known = this.#references.get(code)
    if (!known) this.#references.set(code, { id, reference })
    else if (id > known.id) Object.assign(known, { id, reference })
  }

  kept(): KeptTotals {
    return {
      completed: this.#byStatus.completed.kept(),
      error: this.#byStatus.error.kept(),
      issued: this.#issued.kept(),
      redeemed: this.#redeemed.kept(),
      codes: [...this.#codes].map(([code, tally]) => {
        const { id = 0, reference = null } = this.#references.get(code) ?? {}
        return [code, reference, id, tally.kept()]
      }),
      devices: [...this.#devices].map(([serialNumber, tally]) => [serialNumber, tally.kept()]),
    }
  }

  /** How many payments have their outcome. */
  get outcomes(): number {
    return this.#byStatus.completed.sums().count + this.#byStatus.error.sums().count
  }

  broken(): Broken {
    const { pending, completed, error } = this.#byStatus
    return {
      byStatus: { pending: pending.sums(), completed: completed.sums(), error: error.sums() },
      vouchers: { issued: this.#issued.sums(), redeemed: this.#redeemed.sums() },
      byScanCode: [...this.#codes]
        .map(([scanCode, tally]) => {
          const scanCodeReference = this.#references.get(scanCode)?.reference ?? null
          return { scanCode, scanCodeReference, ...tally.sums() }
        })
        .sort((a, b) => (a.scanCode < b.scanCode ? -1 : 1)),
      byDevice: [...this.#devices]
        .map(([deviceSerialNumber, tally]) => ({ deviceSerialNumber, ...tally.sums() }))
        .sort((a, b) => (nullFirst(a.deviceSerialNumber) < nullFirst(b.deviceSerialNumber) ? -1 : 1)),
    }
  }
}

const nullFirst = (serialNumber: string | null) => (serialNumber === null ? '' : ` ${serialNumber}`)
