import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * How many servers are being closed, of the whole process: answers of its other servers say `Connection: close` meanwhile too, since Node
 * documents no way from an answer to its server. Their clients connect anew.
 */
export const closing = { servers: 0 }

/** Whoever asks once more on a connection that was open learns that it ends with this answer. */
export function endAfterwards({ httpVersionMajor }: IncomingMessage, response: ServerResponse): void {
  if (httpVersionMajor === 1) response.setHeader('Connection', 'close')
}

/** The same of an answer under way while a server of this process is being closed: for adapters of frameworks that write the head themselves. */
export function endWhereClosing(request: IncomingMessage, response: ServerResponse): void {
  if (closing.servers > 0) endAfterwards(request, response)
}
