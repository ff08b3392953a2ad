import type { IncomingMessage, ServerResponse } from 'node:http'

/** How many servers of this process are being closed. */
export const closing = { servers: 0 }

/** Whoever asks once more on a connection that was open learns that it ends with this answer. */
export function endAfterwards({ httpVersionMajor }: IncomingMessage, response: ServerResponse): void {
  if (httpVersionMajor === 1) response.setHeader('Connection', 'close')
}
