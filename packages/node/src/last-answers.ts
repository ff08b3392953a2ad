import type { IncomingMessage, ServerResponse } from 'node:http'

/** How many servers of this process are being closed. */
export const closing = { servers: 0 }

/** Whoever asks once more on a connection that was open learns that it ends with this answer. */
export function endAfterwards({ httpVersionMajor }: IncomingMessage, response: ServerResponse): void {
  if (httpVersionMajor === 1) response.setHeader('Connection', 'close')
}

/** The same of an answer under way while a server of this process is being closed: for adapters of frameworks that write the head themselves. */
export function endWhereClosing(request: IncomingMessage, response: ServerResponse): void {
  if (closing.servers > 0) endAfterwards(request, response)
}
