/** The tables that grow with payments. Their keys start with the merchant. */
export const GROWING: ReadonlySet<string> = new Set([
  ...['payments', 'payment_blocks', 'payment_sums', 'cash_ups', 'settlements'],
  ...['deliveries', 'delivery_attempts'],
])
