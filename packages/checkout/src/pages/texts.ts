import type { LinkFault } from '../payment/link/link-error.ts'

/** What the page says of a failure, by the `failure` of a payment: strict mode's, the till's and the processor's. */
export interface FailureTexts {
  /** Strict mode: the order has a payment that is completed or pending. */
  reference_taken: string
  /** Strict mode: less than the order needs. */
  amount_too_low: string
  /** A processor that refuses a card. */
  card_declined: string
  /** `till.payments.failStale`. */
  stale: string
  /** What a processor of the host's own says. */
  [failure: string]: string
}

/** Everything the pages say. What stands in braces in the English texts is filled in where a text has it. */
export interface Texts {
  /** The language of the texts, as BCP 47 has it: `en`, `nl`, `pt-BR`. */
  language: string
  /** Before the name of the merchant, above the form. */
  payTo: string
  /** Before the name of the merchant, on a result. */
  merchant: string
  /** Before the merchant's reference. */
  order: string
  /** Before the amount. */
  amount: string
  /** Before the tip. */
  tip: string
  /** Before the customer's own reference. */
  reference: string
  /** Before the tips that can be chosen, for none of them. */
  noTip: string
  /** Behind them, for one that is typed. */
  otherTip: string
  /** Beside an amount that has a least: `{minimum}`. */
  atLeast: string
  /** Beside one that has a most: `{maximum}`. */
  atMost: string
  /** Beside one that has both: `{minimum}`, `{maximum}`. */
  between: string
  /** Beside a field that may stay empty. */
  optional: string
  /** Before the total. */
  total: string
  /** The button, when the total is known. */
  pay: string
  /** The button before that. */
  proceed: string
  /** The button once it is pressed. */
  busy: string
  /** Above the button where the total was not known before: `{total}`. */
  checkTotal: string
  /** For a total of nothing. */
  nothingToPay: string
  /** Above a form that stands in the place of another page. */
  renewed: string
  /** Above the form in a browser that keeps no cookies. */
  forgetful: string
  /** Beside an amount that cannot be read: `{example}`. */
  amountWrong: string
  /** Beside a tip that cannot be read: `{example}`. */
  tipWrong: string
  /** Beside an amount or a tip that can be read in two ways, before the amounts that it may mean: `{example}`. */
  unclear: string
  /** Beside an amount that is too low: `{minimum}`. */
  amountTooLow: string
  /** Beside one that is too high: `{maximum}`. */
  amountTooHigh: string
  /** Beside a tip that makes the total too high: `{maximum}`. */
  tipTooHigh: string
  /** Above a form whose total is too low, where the link says the amount: `{minimum}`. */
  totalTooLow: string
  /** Beside a reference of the customer that is too long. */
  referenceWrong: string
  /** The title of a payment that succeeded. */
  completed: string
  /** What is said below it. */
  completedMore: string
  /** Before the six digits that the merchant may ask for. */
  authCode: string
  /** The title of a receipt that is kept. */
  receipt: string
  /** The link to it. */
  saveReceipt: string
  /** Below a receipt, for how long the browser can show it again: `{days}`. */
  keep: string
  /** The same in a browser that keeps no cookies, which cannot. */
  keepNow: string
  /** Before the time at which the payment started. */
  date: string
  /** The title of a payment whose outcome is not known yet. */
  pending: string
  /** What is said below it. */
  pendingMore: string
  /** In a browser that keeps no cookies, to which the outcome cannot be shown later. */
  pendingForgetful: string
  /** The title of a payment whose outcome is not waited for any longer. */
  waited: string
  /** What is said below it. */
  waitedMore: string
  /** The link that looks for the outcome once more. */
  look: string
  /** The title of a payment that the customer has to confirm elsewhere: at a bank, in a wallet. */
  step: string
  /** What is said below it. */
  stepMore: string
  /** The same in a browser that keeps no cookies, to which the outcome cannot be shown later. */
  stepForgetful: string
  /** The button that leads there. */
  stepGo: string
  /** The title of a payment that is recorded as failed, of which its processor says that it was charged. */
  disputed: string
  /** What is said below it. */
  disputedMore: string
  /** The title of a payment that failed. */
  failed: string
  /** What is said below it where `failures` has no words. */
  failedMore: string
  /** What the page says of a failure. */
  failures: FailureTexts
  /** The title for an order that is paid already. */
  taken: string
  /** What is said below it. */
  takenMore: string
  /** The title for an order of which a payment is pending. */
  takenPending: string
  /** What is said below it. */
  takenPendingMore: string
  /** The link from a failed payment to a new one. */
  tryAgain: string
  /** The link from a finished payment to a new one. */
  payAnother: string
  /** The link back to the shop: `{merchant}`. */
  back: string
  /** The title for a code that nothing can be paid on. */
  unknown: string
  /** What is said below it. */
  unknownMore: string
  /** While the merchant, or the code alone, is suspended. */
  suspended: string
  /** Below that. */
  suspendedMore: string
  /** For whoever comes to the address of a payment that another browser started. */
  begun: string
  /** What is said below it. */
  begunMore: string
  /** The title for a link that no payment can start with. */
  wrongLink: string
  /** What exactly is wrong with a link; `other` where none of the rest fits. */
  wrongLinks: Record<LinkFault, string>
  /** For a form that is not one that the page sends. */
  wrongForm: string
  /** What is said below it. */
  wrongFormMore: string
  /** For one that did not arrive in time. */
  wrongFormLate: string
  /** The title for a customer who is over a limit. */
  tooMany: string
  /** What is said below it. */
  tooManyMore: string
  /** The title for a fault of the host. */
  fault: string
  /** What is said below it. */
  faultMore: string
  /** `{id}` is the number under which the host's log has it. */
  faultId: string
  /** While the database is out of reach. */
  unavailable: string
  /** What is said below it. */
  unavailableMore: string
  /** The same after a press that is known to have started nothing. */
  unavailableUnpaid: string
  /** The link that loads the page again. */
  lookAgain: string
  /** For whoever comes over plain HTTP. */
  insecure: string
}

/** Puts `values` where a text has their names in braces. */
export function filled(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (braces, name: string) => values[name] ?? braces)
}
