/** Everything the pages say. `{total}` and `{example}` are filled in where these texts have them. */
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
  amountWrong: string
  tipWrong: string
  referenceWrong: string
  completed: string
  completedMore: string
  authCode: string
  date: string
  pending: string
  pendingMore: string
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
  wrongLink: string
  tooMany: string
  tooManyMore: string
  fault: string
  faultMore: string
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
  wrongLink: 'This link is not right',
  tooMany: 'Too many requests',
  tooManyMore: 'Wait a minute, then try again.',
  fault: 'Something went wrong',
  faultMore: 'Load this page again to see how your payment stands. You will not be charged twice.',
  insecure: 'Payments need a secure connection: the address must start with https.',
}

/** Puts `values` where a text has their names in braces. */
export function filled(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (braces, name: string) => values[name] ?? braces)
}
