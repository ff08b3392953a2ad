import type { LinkFault } from '../payment/link-error.ts'

/** Everything the pages say. `{total}`, `{example}` and `{id}` are filled in where these texts have them. */
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
  /** Beside a reference of the customer that is too long. */
  referenceWrong: string
  /** The title of a payment that succeeded. */
  completed: string
  /** What is said below it. */
  completedMore: string
  /** Before the six digits that the merchant may ask for. */
  authCode: string
  /** Before the time at which the payment started. */
  date: string
  /** The title of a payment whose outcome is not known yet. */
  pending: string
  /** What is said below it. */
  pendingMore: string
  /** In a browser that keeps no cookies, to which the outcome cannot be shown later. */
  pendingForgetful: string
  /** The title of a payment that failed. */
  failed: string
  /** What is said below it where `failures` has no words. */
  failedMore: string
  /** What the page says of a failure, by the `failure` of the payment: strict mode's and the processor's. */
  failures: Record<string, string>
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
  suspended: 'No payments just now',
  suspendedMore:
    'This shop does not take payments here now. Nothing was charged. Ask for another way to pay.',
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
    signature: 'It was changed, or it was not made by whom you want to pay.',
    expired: 'It has ended.',
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
