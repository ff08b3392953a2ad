import type { LinkFault } from '../payment/link-error.ts'

/** Everything the pages say. `{total}`, `{example}` and `{id}` are filled in where these texts have them. */
export interface Texts {
  /** The language of the texts, as BCP 47 has it: `en`, `nl`, `pt-BR`. */
  language: string
  payTo: string
  merchant: string
  order: string
  amount: string
  tip: string
  reference: string
  optional: string
  total: string
  /** The button, when the total is known. */
  pay: string
  /** The button before that. */
  proceed: string
  /** The button once it is pressed. */
  busy: string
  checkTotal: string
  nothingToPay: string
  /** Above a form that stands in the place of another page. */
  renewed: string
  /** Above the form in a browser that keeps no cookies. */
  forgetful: string
  amountWrong: string
  tipWrong: string
  referenceWrong: string
  completed: string
  completedMore: string
  authCode: string
  date: string
  pending: string
  pendingMore: string
  /** In a browser that keeps no cookies, to which the outcome cannot be shown later. */
  pendingForgetful: string
  failed: string
  failedMore: string
  /** What the page says of a failure, by the `failure` of the payment: strict mode's and the processor's. */
  failures: Record<string, string>
  taken: string
  takenMore: string
  takenPending: string
  takenPendingMore: string
  tryAgain: string
  payAnother: string
  unknown: string
  unknownMore: string
  /** For whoever comes to the address of a payment that another browser started. */
  begun: string
  begunMore: string
  wrongLink: string
  /** What exactly is wrong with a link; `other` where none of the rest fits. */
  wrongLinks: Record<LinkFault, string>
  /** For a form that is not one that the page sends. */
  wrongForm: string
  wrongFormMore: string
  /** For one that did not arrive in time. */
  wrongFormLate: string
  tooMany: string
  tooManyMore: string
  fault: string
  faultMore: string
  /** `{id}` is the number under which the host's log has it. */
  faultId: string
  /** While the database is out of reach. */
  unavailable: string
  unavailableMore: string
  /** The same after a press that is known to have started nothing. */
  unavailableUnpaid: string
  lookAgain: string
  insecure: string
}

/** The texts that are shown where the host has none of its own. */
export const english: Texts = {
  language: 'en',
  payTo: 'Pay to',
  merchant: 'To',
  order: 'Order',
  amount: 'Amount',
  tip: 'Tip',
  reference: 'Your reference',
  optional: 'optional',
  total: 'Total',
  pay: 'Pay {total}',
  proceed: 'Continue',
  busy: 'One moment…',
  checkTotal: 'The total is {total}. Check it, then press the button to pay.',
  nothingToPay: 'There is nothing to pay.',
  renewed: 'This is a new payment. If you have paid already, do not pay again.',
  forgetful:
    'Your browser keeps no cookies, so this page cannot know whether you have paid before. Pay once, and wait for the outcome.',
  amountWrong: 'Enter the amount like this: {example}',
  tipWrong: 'Enter the tip like this: {example}, or leave it empty',
  referenceWrong: 'Enter a shorter reference',
  completed: 'Paid',
  completedMore: 'Thank you.',
  authCode: 'Confirmation code',
  date: 'Started',
  pending: 'Waiting for the outcome',
  pendingMore:
    'Your payment is being processed, and this page shows the outcome as soon as it is known. There is no need to pay again: you will not be charged twice.',
  pendingForgetful:
    'Your payment is being processed. Your browser keeps no cookies, so this page cannot show you the outcome: ask whom you pay. Do not pay again.',
  failed: 'Not paid',
  failedMore: 'The payment did not go through.',
  failures: {
    reference_taken:
      'This order is already paid, or a payment of it is being processed. You have not been charged.',
    amount_too_low: 'This is less than the amount owed. You have not been charged.',
    card_declined: 'The card was declined.',
    stale: 'There was no outcome in time.',
  },
  taken: 'Already paid',
  takenMore: 'This order is already paid. Nothing more is charged.',
  takenPending: 'Being paid',
  takenPendingMore:
    'A payment of this order is being processed. This page shows how it ends. Nothing more is charged.',
  tryAgain: 'Try again',
  payAnother: 'Make another payment',
  unknown: 'This code is not in use',
  unknownMore: 'Nothing can be paid here. Ask for another code, or for another way to pay.',
  begun: 'This link was used before',
  begunMore:
    'Only the browser that pressed the button here can see the outcome. If that was you, do not pay again: ask whom you paid. If it was not, nothing has been paid for you yet.',
  wrongLink: 'This link is not right',
  wrongLinks: {
    tooLong: 'It is too long.',
    tooManyParameters: 'It has too many parts.',
    amount: 'Its amount cannot be read.',
    amountTooLarge: 'Its amount is too large.',
    amountTwice: 'It has more than one amount.',
    order: 'Its order number cannot be read.',
    orderTooLong: 'Its order number is too long.',
    orderTwice: 'It has more than one order number.',
    strict: 'A part of it cannot be read.',
    strictTwice: 'A part of it is there more than once.',
    extra: 'A part of it cannot be read.',
    extraTooMany: 'It has too many parts.',
    extraTooLong: 'A part of it is too long.',
    other: 'It is damaged.',
  },
  wrongForm: 'That could not be read',
  wrongFormMore: 'More was sent than this page asks for. Nothing was charged by it.',
  wrongFormLate: 'It did not arrive in time. Nothing was charged by it.',
  tooMany: 'Too many requests',
  tooManyMore: 'Wait a minute, then try again.',
  fault: 'Something went wrong',
  faultMore: 'Load this page again to see how your payment stands. You will not be charged twice.',
  faultId: 'Number: {id}',
  unavailable: 'Not available just now',
  unavailableMore:
    'How your payment stands cannot be seen just now. Try again in a moment: you will not be charged twice.',
  unavailableUnpaid:
    'Your payment could not be started just now, and this try has charged nothing. Try again in a moment: you will not be charged twice.',
  lookAgain: 'Try again',
  insecure: 'Payments need a secure connection: the address must start with https.',
}

/** Puts `values` where a text has their names in braces. */
export function filled(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (braces, name: string) => values[name] ?? braces)
}
