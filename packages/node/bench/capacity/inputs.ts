/** What one payment, one merchant and one request cost, as measured. */
export interface Inputs {
  /** Payments a second, from the start to the delivered webhook, of one host process on a server, both on this machine. */
  paymentsASecond: number
  /** Seconds of processor time of a payment with its webhook, in the host and in the database server. */
  payment: Cpu
  /** Of a request for one payment, and for a page of fifty. */
  byId: Cpu
  page: Cpu
  /** Bytes that a payment takes up for ever, and with its delivery, which is purged. */
  keptBytes: number
  deliveryBytes: number
  /** Bytes of a merchant with a scan code and an API key. */
  merchantBytes: number
  walBytes: number
  /** The same where no page has been written since the checkpoint, so that each is written whole: as it is, and compressed by `pglz`. */
  coldWalBytes: number
  coldCompressedBytes: number
  /** Bytes between host and server, both ways, for a payment. */
  wireBytes: number
  /** Bytes that the receiver of a webhook is sent. */
  webhookBytes: number
  /** The most connections that the host had open. */
  connections: number
}

/** Seconds of processor time. */
export interface Cpu {
  host: number
  server: number
}
