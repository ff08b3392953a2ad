import {
  type CashUp,
  devicePaymentObject,
  namesByWord,
  type Payment,
  paymentObject,
  renamingOf,
  type Vocabulary,
  type VocabularyName,
} from '@tillkit/domain'

/** How the API's answers and queries are put: by its own names, or by the words of a vocabulary. */
export interface ApiWords {
  /** A payment by id, and in most lists (API 2.1). */
  payment(payment: Payment): object
  /** A payment in the lists of a merchant with `deviceLists` (API 2.1). */
  devicePayment(payment: Payment): object
  /** A cash up object (API 2.2). */
  cashUp(cashUp: CashUp): object
  /** The parameters of lists by their words; undefined where each is its own (API 4.1). */
  parameters: ReadonlyMap<string, VocabularyName> | undefined
}

/** Our own names: what answers are made of is what they say. */
const OWN: ApiWords = {
  payment: paymentObject,
  devicePayment: devicePaymentObject,
  cashUp: ({ date, reference }) => ({ date, reference }),
  parameters: undefined,
}

/** The words of a vocabulary, found once. */
export function apiWords(vocabulary: Vocabulary | undefined): ApiWords {
  if (vocabulary === undefined) return OWN
  const paymentWords = renamingOf(vocabulary, 'payment')
  const cashUpWords = renamingOf(vocabulary, 'cashUp')
  return {
    payment: paymentWords ? payment => paymentWords(paymentObject(payment)) : OWN.payment,
    devicePayment: paymentWords ? payment => paymentWords(devicePaymentObject(payment)) : OWN.devicePayment,
    cashUp: cashUpWords ? cashUp => cashUpWords(OWN.cashUp(cashUp)) : OWN.cashUp,
    parameters: namesByWord(vocabulary, 'list'),
  }
}
